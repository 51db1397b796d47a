// What the widgets ask of the model: text in, pieces, words and weights out.
import {largest, softmax} from "./numbers.js";
import {Problem} from "./problem.js";

export const LONGEST = 128; // pieces
export const LETTERS = 2000; // more is refused before it is cut into pieces
export const MASKS = 10;
// What the tokenizer's own list of ideographs, which are words of one letter, leaves out.
const MORE_IDEOGRAPHS =
  /[\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
// What else a browser sorts otherwise than Python, the tokenizer's own file replaces:
// build_tools/live/code_points.py.
export const asPython = text => text.replace(MORE_IDEOGRAPHS, " $& ");

// tokenizer: of @huggingface/tokenizers. run: (output, ids, segments, chosen) => one of
// the model's outputs, {data, dims}, or, for a list of names, {name: output}; cutting a
// text into pieces does without it.
export class Reader {
  constructor(tokenizer, run) {
    this.tokenizer = tokenizer;
    this.run = run;
  }

  // A text, or a pair unless `second` is blank: {tokens, ids, segments}.
  tokens(first, second = "", longest = LONGEST) {
    for (const text of [first, second]) requireShort(text);
    if (!first.trim()) throw new Problem("Type a text first.");
    const [text, pair] = [first, second].map(asPython);
    const {ids, tokens, token_type_ids} = this.tokenizer.encode(text, {
      text_pair: pair.trim() ? pair : null,
      return_token_type_ids: true,
    });
    if (ids.length > longest)
      throw new Problem(
        `That makes ${ids.length} pieces; the live page reads up to ${longest}. ` +
          "Shorten the text."
      );
    return {tokens, ids, segments: token_type_ids};
  }

  // For each [MASK], the likeliest pieces: [[{piece, share}, …], …].
  async masked(text, top = 5) {
    const {ids, segments} = this.tokens(text);
    const mask = this.tokenizer.token_to_id("[MASK]");
    const places = ids.flatMap((id, place) => (id === mask ? [place] : []));
    if (!places.length) throw new Problem("Click a word to hide it.");
    if (places.length > MASKS)
      throw new Problem(
        `${places.length} words are hidden; the live page fills up to ${MASKS} at once.`
      );
    const logits = await this.run("logits", ids, segments, places);
    const size = logits.dims[1];
    return places.map((_, row) => {
      const shares = softmax(logits.data.subarray(row * size, (row + 1) * size));
      return largest(shares, top).map(id => ({
        piece: this.tokenizer.id_to_token(id),
        share: shares[id],
      }));
    });
  }

  // The probability that the second text follows the first.
  async next(first, second) {
    if (!second.trim()) throw new Problem("Type a second text.");
    const {ids, segments} = this.tokens(first, second);
    return softmax((await this.run("next", ids, segments, [0])).data)[0];
  }

  // Tokens and all weights: {tokens, ids, segments, layers, heads, weights}.
  async attention(first, second = "") {
    const read = this.tokens(first, second);
    const attention = await this.run("attention", read.ids, read.segments, [0]);
    const [layers, heads] = attention.dims;
    return {...read, layers, heads, weights: attention.data};
  }

  // The mean of the last layer over all pieces of a text: {vector}.
  async mean(text) {
    const {ids, segments} = this.tokens(text);
    const states = await this.run("states", ids, segments, [0]);
    const [layers, length, width] = states.dims;
    const last = states.data.subarray((layers - 1) * length * width);
    const vector = new Float32Array(width);
    last.forEach((value, at) => (vector[at % width] += value / length));
    return {vector};
  }

  // The last layer's vector of a word in a text, and how often the word is there.
  async vector(text, word) {
    const {tokens, ids, segments} = this.tokens(text);
    const wanted = this.tokenizer.tokenize(word).join(" ");
    const found = wordsOf(tokens).filter(
      places => places.map(place => tokens[place]).join(" ") === wanted
    );
    if (!found.length) throw new Problem(`The word “${word}” is not in the text.`);
    const states = await this.run("states", ids, segments, [0]);
    const [layers, length, width] = states.dims;
    const last = states.data.subarray((layers - 1) * length * width);
    const vector = new Float32Array(width);
    for (const place of found[0])
      for (let i = 0; i < width; i++)
        vector[i] += last[place * width + i] / found[0].length;
    return {vector, times: found.length};
  }
}

export function requireShort(text) {
  if (text.length > LETTERS)
    throw new Problem(
      `That is ${text.length.toLocaleString("en")} characters; the live page reads ` +
        `up to ${LETTERS.toLocaleString("en")}. Shorten the text.`
    );
}

// The places of the pieces of each word; special tokens are words of their own.
export function wordsOf(tokens) {
  const words = [];
  tokens.forEach((token, place) => {
    if (token.startsWith("##") && place) words.at(-1).push(place);
    else words.push([place]);
  });
  return words;
}
