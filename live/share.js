// The link that carries a text: in the address's fragment, which no browser sends.

export function fragmentOf(kind, values) {
  return `#${new URLSearchParams({live: kind, ...values})}`;
}

// The values that a fragment carries for a widget; {} where it carries none.
export function valuesIn(fragment, kind) {
  const values = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, "")));
  if (values.live !== kind) return {};
  delete values.live;
  return values;
}
