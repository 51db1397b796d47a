// Slides load nothing from elsewhere: no pictures for emoji, the player in the page.
export default {
  html: true,
  allowLocalFiles: false,
  options: { emoji: { unicode: false, shortcode: false }, script: { source: "inline" } },
  bespoke: { progress: true },
};
