import { type Json, parseObject } from '../../shared/json.ts';
import { parseSize, parseSpan } from '../../shared/units.ts';
import { type DialogKind, dialogKinds } from './dialogs.ts';

/**
 * The script inside a prompt. A directive reaches to the next one or to the end of its line; the
 * words around them mean nothing, and a prompt without any is answered with `ok`.
 *
 *     @@say hello               answer with this text (\n is a new line)
 *     @@work 200ms              think that long
 *     @@stream 50 lines 10ms    answer line by line, one every 10 ms
 *     @@ask permission rm a     a dialog: permission, trust or question; a refusal ends the turn
 *     @@tool list_agents {}     call a tool of signalbox's MCP server, with these arguments
 *     @@fail overloaded         end the turn with an error of the model's API
 *     @@hang                    think until somebody presses Escape
 *     @@freeze 5s               block the process: nothing is read and nothing drawn
 *     @@flood 100mb at 50kb/s   print past the screen like yes(1); without a size for ever, without
 *                               a rate at full speed
 *     @@garbage 64kb            print bytes of all kinds
 *     @@long-line 1mb           print that much without a new line
 *     @@title text              change the terminal's title
 *     @@never-ready             back to the screen that says Starting, for ever
 *     @@ignore hup term         survive these signals
 *     @@spawn-child [detached]  leave a child that ignores them too, for ten minutes [in a process
 *                               group of its own]
 *     @@show argv               answer with argv, cwd, size, pid or `env NAME`, as JSON
 *     @@exit 3                  end with this code
 *     @@crash                   SIGKILL ourselves
 */
export type Step =
  | { readonly do: 'say' | 'fail' | 'title' | 'show'; readonly text: string }
  | { readonly do: 'work' | 'freeze'; readonly ms: number }
  | { readonly do: 'stream'; readonly lines: number; readonly everyMs: number }
  | { readonly do: 'ask'; readonly dialog: DialogKind; readonly about: string }
  | { readonly do: 'tool'; readonly name: string; readonly given: Json }
  | { readonly do: 'flood'; readonly bytes: number; readonly perSecond: number }
  | { readonly do: 'garbage' | 'long-line'; readonly bytes: number }
  | { readonly do: 'ignore'; readonly signals: readonly NodeJS.Signals[] }
  | { readonly do: 'spawn-child'; readonly detached: boolean }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'hang' | 'never-ready' | 'crash' };

/**
 * A directive that cannot be read is answered with what is wrong, so that a test does not wait for
 * what never comes.
 */
export function parseDirectives(text: string): readonly Step[] {
  const steps = [...text.matchAll(pattern)].map(([whole, name = '', rest = '']): Step => {
    const step = readers[name as keyof typeof readers](rest.trim());
    return step ?? { do: 'fail', text: `cannot read the directive ${whole.trim()}` };
  });
  return steps.length > 0 ? steps : [{ do: 'say', text: 'ok' }];
}

const readers = {
  say: (rest: string): Step => ({ do: 'say', text: rest.replaceAll('\\n', '\n') }),
  fail: (rest: string): Step => ({ do: 'fail', text: rest || '500 internal server error' }),
  title: (rest: string): Step => ({ do: 'title', text: rest }),
  show: (rest: string): Step => ({ do: 'show', text: rest }),
  work: (rest: string) => readSpan('work', rest),
  freeze: (rest: string) => readSpan('freeze', rest),
  stream: (rest: string): Step | undefined => {
    const [, lines, every = '10ms'] = /^(\d+)(?: lines?)?(?: (\S+))?$/.exec(rest) ?? [];
    const everyMs = parseSpan(every);
    return lines && everyMs !== undefined
      ? { do: 'stream', lines: Number(lines), everyMs }
      : undefined;
  },
  ask: (rest: string): Step | undefined => {
    const [word = '', ...about] = rest.split(' ');
    const dialog = dialogKinds.find((kind) => kind === word);
    return dialog && { do: 'ask', dialog, about: about.join(' ') };
  },
  tool: (rest: string): Step | undefined => {
    const [, name = '', json] = /^(\w+)(?: (\{.*\}))?$/.exec(rest) ?? [];
    const given = parseObject(json ?? '{}');
    return name && given ? { do: 'tool', name, given } : undefined;
  },
  flood: (rest: string): Step | undefined => {
    const [, size, rate] = /^(\S+)?(?: ?at (\S+)\/s)?$/.exec(rest) ?? [];
    const bytes = size ? parseSize(size) : Infinity;
    const perSecond = rate ? parseSize(rate) : Infinity;
    return bytes && perSecond ? { do: 'flood', bytes, perSecond } : undefined;
  },
  garbage: (rest: string) => readSize('garbage', rest || '64kb'),
  'long-line': (rest: string) => readSize('long-line', rest || '1mb'),
  ignore: (rest: string): Step | undefined => {
    const signals = rest.split(' ').flatMap((word) => ignorable[word] ?? []);
    return signals.length > 0 ? { do: 'ignore', signals } : undefined;
  },
  'spawn-child': (rest: string): Step => ({ do: 'spawn-child', detached: rest === 'detached' }),
  exit: (rest: string): Step | undefined =>
    /^\d{0,3}$/.test(rest) ? { do: 'exit', code: Number(rest) } : undefined,
  hang: (): Step => ({ do: 'hang' }),
  'never-ready': (): Step => ({ do: 'never-ready' }),
  crash: (): Step => ({ do: 'crash' }),
};

const ignorable: Readonly<Record<string, NodeJS.Signals>> = { hup: 'SIGHUP', term: 'SIGTERM' };

const names = Object.keys(readers).join('|');
const pattern = new RegExp(`@@(${names})\\b[ \\t]*((?:(?!@@(?:${names})\\b)[^\\n\\r])*)`, 'g');

/** Milliseconds where no unit is named. */
function readSpan(name: 'work' | 'freeze', rest: string): Step | undefined {
  const ms = parseSpan(/^\d+$/.test(rest) ? `${rest}ms` : rest);
  return ms === undefined ? undefined : { do: name, ms };
}

function readSize(name: 'garbage' | 'long-line', rest: string): Step | undefined {
  const bytes = parseSize(rest);
  return bytes === undefined ? undefined : { do: name, bytes };
}
