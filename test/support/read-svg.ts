/** One text element of a picture. */
interface DrawnText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** The names of its classes. */
  readonly kind: string;
}

/**
 * Reads an SVG as strictly as we write it, and gives its texts. Throws where a tag is not closed in
 * its turn, a sign is not escaped, or anything would be fetched from elsewhere.
 */
export function readSvg(svg: string): readonly DrawnText[] {
  const open: string[] = [];
  const texts: DrawnText[] = [];
  let at = 0;
  for (const match of svg.matchAll(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/g)) {
    const [whole, isEnd, name = '', attributes = '', isEmpty] = match;
    const between = svg.slice(at, match.index);
    if (/[<>]|&(?!(?:amp|lt|gt);)/.test(between)) throw new Error(`not escaped: ${between}`);
    if (open.length === 0 && between.trim() !== '') throw new Error(`outside: ${between}`);
    at = match.index + whole.length;
    if (isEnd) {
      const last = open.pop();
      if (last !== name) throw new Error(`</${name}> closes <${last}>`);
      continue;
    }
    if (/href|url\(|@import|<script/.test(attributes)) throw new Error(`it fetches: ${whole}`);
    if (isEmpty) continue;
    open.push(name);
    if (name === 'text') texts.push(readText(svg.slice(at), attributes));
  }
  if (open.length > 0 || svg.slice(at).trim() !== '') throw new Error('it does not end');
  if (/@import|url\(/.test(svg)) throw new Error('its style fetches something');
  return texts;
}

function readText(rest: string, attributes: string): DrawnText {
  const read = (name: string): string =>
    new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  const text = rest.slice(0, rest.indexOf('<'));
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return { text: plain, x: Number(read('x')), y: Number(read('y')), kind: read('class') };
}
