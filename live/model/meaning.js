// The search of the book by meaning: paragraphs, and the vector of a question.

const SHOWN = 5;
const EXCERPT = 280; // letters

// What the file of the search holds, ready to be searched.
export function unpacked({pages, sections, paragraphs, mean, axes, step, vectors}) {
  const centre = new Float32Array(bytesOf(mean));
  const rotation = Float32Array.from(new Int16Array(bytesOf(axes)), x => x * step);
  const rows = new Int8Array(bytesOf(vectors));
  const width = rotation.length / centre.length;
  const lengths = paragraphs.map((_, at) =>
    Math.hypot(...rows.subarray(at * width, (at + 1) * width))
  );
  return {pages, sections, paragraphs, centre, rotation, rows, width, lengths};
}

const bytesOf = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0)).buffer;

// Where a model's vector lies among those of the paragraphs; of length 1.
export function placed(vector, {centre, rotation, width}) {
  const length = Math.hypot(...vector);
  const at = new Float32Array(width);
  vector.forEach((value, i) => {
    const x = value / length - centre[i];
    for (let j = 0; j < width; j++) at[j] += x * rotation[i * width + j];
  });
  const reach = Math.hypot(...at);
  return at.map(x => x / reach);
}

// The sections whose paragraphs are nearest, the best paragraph of each.
export function nearest(vector, index, top = SHOWN) {
  const {paragraphs, rows, width, lengths} = index;
  const at = placed(vector, index);
  const cosines = paragraphs.map((_, row) => {
    let product = 0;
    for (let j = 0; j < width; j++) product += at[j] * rows[row * width + j];
    return product / lengths[row];
  });
  const order = cosines.map((_, row) => row).sort((a, b) => cosines[b] - cosines[a]);
  const seen = new Set();
  const found = [];
  for (const row of order) {
    const [section] = paragraphs[row];
    if (seen.has(section)) continue;
    seen.add(section);
    found.push({...describe(row, index), cosine: cosines[row]});
    if (found.length === top) break;
  }
  return found;
}

function describe(row, {pages, sections, paragraphs}) {
  const [section, text] = paragraphs[row];
  const [page, anchor, title] = sections[section];
  const [address, chapter] = pages[page];
  return {page: address, chapter, anchor, title, text, excerpt: beginning(text)};
}

// The beginning of a text, cut after a word.
const beginning = text =>
  text.length > EXCERPT ? text.slice(0, EXCERPT).replace(/ [^ ]*$/, " …") : text;

// The paragraph of a page, or of a section, with most of the words; "" if there is none.
export function excerptOf(page, anchor, words, {pages, sections, paragraphs}) {
  let best = {excerpt: "", count: 0};
  for (const [section, whole] of paragraphs) {
    const [number, own] = sections[section];
    if (pages[number][0] !== page || (anchor && own !== anchor)) continue;
    const excerpt = beginning(whole);
    const text = excerpt.toLowerCase();
    const count = words.filter(word => text.includes(word)).length;
    if (count > best.count) best = {excerpt, count};
  }
  return best.excerpt;
}
