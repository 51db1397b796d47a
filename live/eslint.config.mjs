import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {rules: {eqeqeq: ["error", "always", {null: "ignore"}], "no-var": "error"}},
  {files: ["**/*.js"], languageOptions: {globals: globals.browser}},
  {files: ["entry.js", "service-worker.js"], languageOptions: {sourceType: "script"}},
  {files: ["model/worker.js"], languageOptions: {globals: globals.worker}},
  {files: ["service-worker.js"], languageOptions: {globals: globals.serviceworker}},
  {files: ["test/**"], languageOptions: {globals: globals.node}},
];
