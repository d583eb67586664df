/** Bytes of a request that stand around messages and are none of their words. */
export interface Around {
  readonly ours: number;
  /** With what the CLI says in the same strings. */
  readonly all: number;
  /** How often the words of the first message stand there. */
  readonly copies: number;
}

/** Counts what stands around these messages in the strings of a request that hold one. */
export function countAround(request: string, bodies: readonly string[]): Around {
  const [first = ''] = bodies;
  const texts = stringsIn(JSON.parse(request)).filter((text) =>
    bodies.some((body) => text.includes(body)),
  );
  const sum = (count: (text: string) => number): number =>
    texts.reduce((total, text) => total + count(text), 0);
  return {
    ours: sum((text) => countOurs(text, bodies)),
    all: sum((text) => Buffer.byteLength(text) - wordsIn(text, bodies)),
    copies: sum((text) => text.split(first).length - 1),
  };
}

/** A fence with all in it, or the one line above the words of a prompt. */
function countOurs(text: string, bodies: readonly string[]): number {
  const fences = text.match(/<signalbox (?:mark|box)_[^>\n]*>\n[\s\S]*?\n<\/signalbox [^>\n]*>/g);
  const own = fences ?? text.match(/<signalbox [^>\n]*>\n/g) ?? [];
  return own.reduce((total, one) => total + Buffer.byteLength(one) - wordsIn(one, bodies), 0);
}

function wordsIn(text: string, bodies: readonly string[]): number {
  return bodies.reduce(
    (total, body) => total + (text.split(body).length - 1) * Buffer.byteLength(body),
    0,
  );
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
