// What a reader is told in one sentence, as against a mistake of ours.
export class Problem extends Error {}

// The sentence for whatever went wrong while the model was loaded or run.
export function sentence(error) {
  const text = String(error?.message ?? error);
  if (error instanceof Problem) return text;
  if (/memory|alloc|out of bounds/i.test(text))
    return "The browser has not enough memory for the model. Close other tabs and try again.";
  return `Something went wrong in the live page: ${text.slice(0, 200)}`;
}
