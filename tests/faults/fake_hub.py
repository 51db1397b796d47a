"""A model hub on this machine, and a checkpoint in the form of bert-base-uncased."""

import functools
import hashlib
import http.server
import io
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from tests.file_server import LocalServer


class FakeHub(LocalServer):
    """Serves `folder` as every model of the hub, at every revision.

    fault: function of a request; where it returns True, it has answered itself.
    """

    def __init__(self, folder, fault=None):
        self.asked = asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            commit = etag = ""

            def send_head(self):
                asked.append(self.path)
                if fault and fault(self):
                    return None
                parts = self.path.partition("?")[0].strip("/").split("/")
                if parts[0] == "api":
                    return self.send_api(parts)
                if len(parts) != 5:
                    return self.send_error(404)
                _, _, _, self.commit, name = parts
                self.path = f"/{name}"
                if (path := Path(self.directory, name)).is_file():
                    self.etag = name_in_cache(path)
                return super().send_head()

            def send_api(self, parts):
                if "models" not in parts:
                    return self.send_error(404)
                files = sorted(Path(self.directory).iterdir())
                answer = {"id": "/".join(parts[2:4]), "siblings": [], "sha": parts[-1]}
                if "tree" in parts:
                    answer = [
                        {"type": "file", "path": f.name, "oid": f.name}
                        | {"size": f.stat().st_size}
                        for f in files
                    ]
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                return io.BytesIO(body)

            def end_headers(self):
                self.send_header("X-Repo-Commit", self.commit)
                self.send_header("ETag", f'"{self.etag}"')
                super().end_headers()

            def log_message(self, *args):
                pass

        super().__init__(functools.partial(Handler, directory=folder))


@functools.cache
def name_in_cache(path):
    """Name a file as the hub does: sha256 of large ones, git's sha1 of small ones."""
    content = path.read_bytes()
    if path.suffix == ".safetensors":
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def save_legacy(source, folder):
    """Save the model in `source` as bert-base-uncased is: old names, old settings."""
    folder.mkdir()
    new = load_file(Path(source) / "model.safetensors")
    old = {
        name.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): t
        for name, t in new.items()
    }
    old["bert.embeddings.position_ids"] = torch.arange(512)[None]
    save_file(old, folder / "model.safetensors", {"format": "pt"})
    config = json.loads((Path(source) / "config.json").read_text())
    for name in ("dtype", "tie_word_embeddings", "is_decoder", "add_cross_attention"):
        del config[name]
    config |= {"architectures": ["BertForMaskedLM"], "gradient_checkpointing": False}
    config |= {"position_embedding_type": "absolute", "transformers_version": "4.6.0"}
    (folder / "config.json").write_text(json.dumps(config))
    shutil.copy(Path(source) / "tokenizer.json", folder)
    settings = {"do_lower_case": True, "model_max_length": 512}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
