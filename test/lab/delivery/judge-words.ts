/** All that the judgement needs of a request: its body as it was sent, which is JSON. */
export interface Got {
  readonly n: number;
  readonly body: string;
}

/**
 * What is wrong with how a text reached the model, by the bytes of its requests; undefined: its
 * words stand in one of them, whole and on lines of their own. Only what is visible may have been
 * added: a backslash before `@`, a dot behind such a sign, the number of a hidden character. `tab`
 * is what the CLI makes of one: a composer may write blanks.
 */
export function judgeWords(requests: readonly Got[], sent: string, tab = '\t'): string | undefined {
  const wanted = `\n${plain(sent).replaceAll(/\r\n?/g, '\n').replaceAll('\t', tab)}\n`;
  const texts = requests.flatMap(({ body }) => stringsIn(JSON.parse(body)));
  if (texts.some((text) => plain(unhide(text)).includes(wanted))) return undefined;
  const lost = wanted
    .trim()
    .split('\n')
    .filter((line) => !texts.some((text) => plain(unhide(text)).includes(line)));
  return lost.length === 0
    ? `the model got every line of ${JSON.stringify(sent)}, and not as one text`
    : `the model did not get ${lost.map((line) => JSON.stringify(line)).join(', ')}`;
}

/**
 * The request that holds what no message may bring into one, such as the contents of a file or the
 * place where it lies; undefined: none does.
 */
export function findCanary(
  requests: readonly Got[],
  secrets: readonly string[],
): string | undefined {
  for (const { n, body } of requests) {
    const secret = secrets.find((one) => body.includes(one));
    if (secret !== undefined) return `request ${n} holds what the message only named: ${secret}`;
  }
  return undefined;
}

/** Without what may be added to a sign. */
function plain(text: string): string {
  return text.replaceAll(/\\+@/g, '@').replaceAll(/([@$/])·/g, '$1');
}

function unhide(text: string): string {
  return text.replaceAll(/<U\+([0-9A-F]{4,6})>/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
