import { ordinaryCallMs } from '../../src/providers/capabilities.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { loadVersionTrials } from '../../src/providers/version-trials.ts';
import { asks, readResults, table } from '../lab/team/capabilities.ts';
import { type CliName, pins } from '../lab/versions.ts';

const begin = '<!-- Written by npm run docs:clis from the data of the provider and of the lab. -->';
const end = '<!-- The rest is written by hand. -->';

/** The page of one CLI. */
export function pagePath(name: CliName): string {
  return `docs/clis/${name}.md`;
}

/** A page with the part that comes from data written anew; all else stays. */
export function writeCliPage(page: string, name: CliName, provider: Provider): string {
  const [before, rest] = split(page, begin);
  const [, after] = split(rest, end);
  return `${before}${begin}\n\n${writePart(name, provider)}\n\n${end}${after}`;
}

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the page has no line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function writePart(name: CliName, provider: Provider): string {
  const { package: packageName, version, runtime } = pins[name];
  const node = runtime === 'node-22' ? ' It needs Node 22 or newer.' : '';
  return [
    `Install it, unless you have it. This is the version that was tested with signalbox.${node}`,
    '',
    '```console shown',
    `$ npm install -g ${packageName}@${version}`,
    '```',
    '',
    ...table([['', provider.title], ...rows(name, provider)]),
  ].join('\n');
}

type Cells = readonly [string, string];

function rows(name: CliName, { capabilities, firstRunQuestions }: Provider): readonly Cells[] {
  const { prompts, routes, evidence, toolCallMs = ordinaryCallMs, resume } = capabilities;
  const isIn = (route: string): string => {
    if (route === 'native')
      return capabilities.waitingHook ? 'a hook that waits' : 'its own way in';
    return ways[route] ?? route;
  };
  const notices = routes.filter((route) => route !== 'pull').map(isIn);
  return [
    ['tested version', `${pins[name].version}; ${describeOlder(name)}`],
    ['its first start may ask', firstRunQuestions.map((word) => asked[word] ?? word).join('; ')],
    ['your own words', `are your prompt, by ${prompts.map(isIn).join(' or ')}`],
    ["other agents' words", `are a notice that names its sender, by ${notices.join(', ')}`],
    ['proof that the model has read it', proofs[evidence]],
    ['tools of signalbox', asksAboutTools(name) ? 'it asks you about each' : 'no question'],
    ['one call of `handoff` waits', `${toolCallMs / 1000} s; then the answer comes as a message`],
    ['`restart`', resume ? 'goes on with the same conversation' : 'begins a new conversation'],
  ].map(([what = '', how = '']): Cells => [what, how === '' ? 'nothing' : how]);
}

const ways: Readonly<Record<string, string>> = {
  'turn-boundary': 'the hook at the end of its turn',
  'mid-turn': "its next tool's result if it is urgent",
  paste: 'a guarded paste',
};

const asked: Readonly<Record<string, string>> = {
  trust: 'whether you trust the folder',
  login: 'you to log in',
  'hook-review': 'you to review its hooks',
  update: 'whether to update',
};

const proofs = {
  transcript: "the CLI's own record of the conversation",
  api: "the CLI's own interface",
  none: 'none',
} as const;

function describeOlder(name: CliName): string {
  const trials = loadVersionTrials().filter(({ cli }) => cli === name);
  const isWhole = ({ outcomes }: (typeof trials)[number]): boolean =>
    Object.values(outcomes).every(({ kind }) => kind === 'passed');
  const list = (some: typeof trials): string => some.map(({ version }) => version).join(', ');
  const [held, not] = [trials.filter(isWhole), trials.filter((trial) => !isWhole(trial))];
  const parts = [
    held.length > 0 ? `all cases held in ${list(held)}` : '',
    not.length > 0 ? `not in ${list(not)}` : '',
  ];
  return parts.filter(Boolean).join(', ') || 'no older one was tried';
}

/** As the lab has seen it where nobody answered for the CLI. */
function asksAboutTools(name: CliName): boolean {
  return readResults().rows.some(
    (row) => row.cli === name && !row.isApproved && row.workers === undefined && asks(row),
  );
}
