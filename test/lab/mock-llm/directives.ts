/**
 * The script inside a prompt. A directive reaches to the next one or to the end of its line, so
 * that text which a CLI adds on lines of its own does not become part of it:
 *
 *     @@say hello            answer with this text (\n is a new line)
 *     @@sleep 3              wait 3 seconds before what follows
 *     @@stream 200 words 20ms  answer with 200 words, one every 20 ms
 *     @@big 1000000          answer with this many bytes
 *     @@tool touch a.txt     call the CLI's own shell tool; what follows is done after its result
 *     @@mcp server tool {"a":1}  call a tool of an MCP server
 *     @@fail 500 [2]         answer with this status [to the first 2 requests only]
 *     @@break role [2]       begin to answer and drop the connection [of the first 2 requests
 *                            only], after: headers, an event that holds nothing (blank), one that
 *                            names the role only (role), the first word, or an error in the stream
 *     @@hang                 say no more until the client gives up
 *     @@play name            what the lab has taught the mock under that name: known to this mock
 *                            alone, not to the author of the prompt
 */
export type Step =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'stream'; readonly words: number; readonly everyMs: number }
  | { readonly do: 'big'; readonly bytes: number }
  | { readonly do: 'tool'; readonly command: string }
  | {
      readonly do: 'mcp';
      readonly server: string;
      readonly tool: string;
      readonly json: string;
      /** Taught only: the next call is made in the same answer. */
      readonly isWithNext?: true;
    }
  | { readonly do: 'fail'; readonly status: number; readonly times: number }
  | { readonly do: 'break'; readonly after: Break; readonly times: number }
  | { readonly do: 'hang' }
  | { readonly do: 'play'; readonly name: string }
  /** Taught only: goes on when the lab lets it. */
  | { readonly do: 'until'; readonly isTime: Promise<unknown> };

/**
 * How far an answer came before its connection was dropped. Only `word` brings anything that the
 * model said.
 */
export const breaks = ['headers', 'blank', 'role', 'word', 'error'] as const;
export type Break = (typeof breaks)[number];

/**
 * Empty when there is none. A directive that cannot be read is answered with what is wrong with it.
 * In a message of others signalbox writes `\@` or `@·` where the CLI acts on `@`; `::play` reads
 * the same on every way.
 */
export function parseDirectives(text: string): readonly Step[] {
  const plain = text.replaceAll(/\\@|@·/g, '@').replaceAll('::play ', '@@play ');
  return [...plain.matchAll(pattern)].map(([whole, name = '', rest = '']) => {
    const step = readers[name as keyof typeof readers](rest.trim());
    return step ?? { do: 'say', text: `The mock cannot read this directive: ${whole.trim()}` };
  });
}

const readers = {
  say: (rest: string): Step => ({ do: 'say', text: rest.replaceAll('\\n', '\n') }),
  sleep: (rest: string): Step | undefined => {
    const seconds = Number(rest);
    return rest !== '' && seconds >= 0 ? { do: 'sleep', ms: seconds * 1000 } : undefined;
  },
  stream: (rest: string): Step | undefined => {
    const [, words, every] = /^(\d+) words? (\d+) ?ms$/.exec(rest) ?? [];
    return words && every
      ? { do: 'stream', words: Number(words), everyMs: Number(every) }
      : undefined;
  },
  big: (rest: string): Step | undefined =>
    /^\d+$/.test(rest) ? { do: 'big', bytes: Number(rest) } : undefined,
  tool: (rest: string): Step | undefined =>
    rest === '' ? undefined : { do: 'tool', command: rest },
  mcp: (rest: string): Step | undefined => {
    const [, server, tool, json] = /^(\S+) (\S+) ?(\{.*\})?$/.exec(rest) ?? [];
    return server && tool ? { do: 'mcp', server, tool, json: json ?? '{}' } : undefined;
  },
  fail: (rest: string): Step | undefined => {
    const [, status, times] = /^([45]\d\d)(?: (\d+))?$/.exec(rest) ?? [];
    return status
      ? { do: 'fail', status: Number(status), times: times ? Number(times) : Infinity }
      : undefined;
  },
  break: (rest: string): Step | undefined => {
    const [, name, times] = /^(\w+)(?: (\d+))?$/.exec(rest) ?? [];
    const after = breaks.find((known) => known === name);
    return after && { do: 'break', after, times: times ? Number(times) : Infinity };
  },
  hang: (): Step => ({ do: 'hang' }),
  // What follows the name on its line belongs to whoever wrapped the text.
  play: (rest: string): Step | undefined => {
    const [name] = /^\w+/.exec(rest) ?? [];
    return name ? { do: 'play', name } : undefined;
  },
};

const names = Object.keys(readers).join('|');
const pattern = new RegExp(`@@(${names})\\b[ \\t]*((?:(?!@@(?:${names})\\b)[^\\n\\r])*)`, 'g');
