// The board: a text is run untouched and with heads off, a column closed, a word patched.
import {Problem} from "./problem.js";
import {largest, softmax} from "./numbers.js";

export class Board {
  constructor(reader) {
    this.reader = reader;
    this.kept = {}; // the last answers to what does not change with the board
  }

  // Of the model: {layers, heads}.
  async size() {
    return this.once("size", "", async () => {
      const [layers, heads] = (await this.run("attention", this.reader.tokens("a")))
        .dims;
      return {layers, heads};
    });
  }

  // off: heads as ["layer.head", …]. closed: the place that nobody may look at. place:
  // that of the piece which the second text's replaces, after that many layers. Each is
  // text, "" for none. The pieces, five guesses untouched and touched, what becomes of
  // the first, and what each layer's heads off would make of it: {tokens, untouched,
  // touched, first: {piece, before, after, change}, layers: [{piece, share, change}]}.
  async guesses(text, second, {off, closed, place, after}) {
    const read = this.reader.tokens(text);
    const mask = this.onlyMask(read);
    const touch = {
      off: numbersOf(off, await this.size()),
      closed: closed === "" ? [] : [placeIn(closed, read)],
      ...(place === "" ? {} : await this.patch(read, second, place, after)),
    };
    const plain = await this.once("plain", text, () => this.logits(read, mask));
    const [best] = largest(plain, 1);
    const odds = logOdds(plain, best);
    const layers = await this.once("layers", text, () =>
      this.layersOff(read, mask, best, odds)
    );
    const untouched = !touch.off.length && !touch.closed.length && place === "";
    const logits = untouched ? plain : await this.logits(read, mask, touch);
    const [shares, now] = [plain, logits].map(softmax);
    return {
      tokens: read.tokens,
      untouched: this.named(shares),
      touched: this.named(now),
      first: {
        piece: this.reader.tokenizer.id_to_token(best),
        before: shares[best],
        after: now[best],
        change: logOdds(logits, best) - odds,
      },
      layers,
    };
  }

  // For each layer with all its heads off, the likeliest piece, and by how much the
  // log-odds of the piece `best` change from `odds`.
  async layersOff(read, mask, best, odds) {
    const {layers, heads} = await this.size();
    const found = [];
    for (let layer = 0; layer < layers; layer++) {
      const off = Array.from({length: heads}, (_, head) => layer * heads + head);
      const logits = await this.logits(read, mask, {off});
      const shares = softmax(logits);
      const [id] = largest(shares, 1);
      const piece = this.reader.tokenizer.id_to_token(id);
      found.push({piece, share: shares[id], change: logOdds(logits, best) - odds});
    }
    return found;
  }

  onlyMask({ids}) {
    const mask = this.reader.tokenizer.token_to_id("[MASK]");
    const places = ids.flatMap((id, place) => (id === mask ? [place] : []));
    if (places.length !== 1)
      throw new Problem(
        `The board wants one hidden word: the text has [MASK] ${places.length} times.`
      );
    return places;
  }

  // The state of the second text that goes to a place of the first.
  async patch(read, second, place, after) {
    const at = placeIn(place, read);
    const {layers} = await this.size();
    if (!isWhole(after, layers + 1))
      throw new Problem(
        `A word is patched after 0 to ${layers} layers, not after “${after}”.`
      );
    if (!second.trim())
      throw new Problem("To patch a word, type a second text of as many pieces.");
    const other = this.reader.tokens(second);
    const length = read.ids.length;
    if (other.ids.length !== length)
      throw new Problem(
        `To patch a word, both texts must have as many pieces: the first has ` +
          `${length}, the second ${other.ids.length}.`
      );
    const states = await this.once("states", second, () => this.run("states", other));
    const number = Number(after) * length + at;
    const width = states.dims[2];
    const patch = states.data.slice(number * width, (number + 1) * width);
    return {patched: [number], patch};
  }

  run(output, {ids, segments}, chosen = [0], touch = {}) {
    return this.reader.run(output, ids, segments, chosen, touch);
  }

  logits = async (read, mask, touch) =>
    (await this.run("logits", read, mask, touch)).data;

  named = shares =>
    largest(shares, 5).map(id => ({
      piece: this.reader.tokenizer.id_to_token(id),
      share: shares[id],
    }));

  async once(name, key, compute) {
    if (this.kept[name]?.key !== key) this.kept[name] = {key, value: await compute()};
    return this.kept[name].value;
  }
}

// The logarithm of a piece's probability against all others.
export function logOdds(logits, id) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const others = logits.reduce(
    (total, value, at) => (at === id ? total : total + Math.exp(value - highest)),
    0
  );
  return logits[id] - highest - Math.log(others);
}

const isWhole = (text, end) => /^\d+$/.test(text) && Number(text) < end;

function placeIn(text, {tokens}) {
  if (!isWhole(text, tokens.length))
    throw new Problem(
      `There is no piece “${text}”: the text has pieces 0 to ${tokens.length - 1}.`
    );
  return Number(text);
}

// "layer.head" as numbers through all layers.
function numbersOf(names, {layers, heads}) {
  return names.map(name => {
    const [layer, head, ...more] = name.split(".");
    if (more.length || !isWhole(layer, layers) || !isWhole(head ?? "", heads))
      throw new Problem(
        `There is no head “${name}”: layers go from 0 to ${layers - 1}, heads from 0 ` +
          `to ${heads - 1}. “All on” begins anew.`
      );
    return Number(layer) * heads + Number(head);
  });
}
