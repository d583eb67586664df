import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import { isProcessing, type Life, patienceMs } from '../../test/lab/life/life.ts';
import type { LoggedRequest } from '../../test/lab/mock-llm/request-log.ts';
import { cliNames, pins } from '../../test/lab/versions.ts';
import { paces } from '../delivery/cli/pace.ts';
import { waitForRest } from '../delivery/cli/wait-for-rest.ts';
import { createWord } from '../delivery/letter.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import type { Before } from './build-before.ts';
import { type Around, countAround } from './count-around.ts';
import { benchLives, type Taken, withLives } from './lives.ts';
import { takeResults } from './tool-results.ts';

/** Of one way to write to an agent: a first message, and what a second one beside it adds. */
interface Cost {
  readonly route: string;
  readonly first: Around;
  readonly further?: Around;
}

type Costs = Record<'now' | 'before', Record<string, Cost>>;

interface Way {
  readonly what: string;
  readonly isUsers: boolean;
  readonly isBusy: boolean;
  /** So long is its text. */
  readonly isLong?: true;
}

const ways: readonly Way[] = [
  { what: 'notice, at rest', isUsers: false, isBusy: false },
  { what: 'notice, while busy', isUsers: false, isBusy: true },
  { what: 'prompt, at rest', isUsers: true, isBusy: false },
  { what: 'prompt, while busy', isUsers: true, isBusy: true },
  { what: 'notice of 4 KB, at rest', isUsers: false, isBusy: false, isLong: true },
  { what: 'prompt of 4 KB, at rest', isUsers: true, isBusy: false, isLong: true },
];

const longBytes = 4096;
/** Rule 14: of our own words, for the first message of a text and for each further one. */
const bars = { first: { itselfAtMost: 200 }, further: { itselfAtMost: 90 } } as const;

const inbox = 'check_inbox';
/** Rule 14: as long as the names that the bars are about. */
const sender = 'reviewer';

/** What a model pays for a short message beside its words, by each route. */
export function benchBytes(around: BuiltSurroundings, before: Before): Promise<Part> {
  const builds = { now: around.program, before: before.program };
  return benchLives<Costs>(around, {
    title: 'Bytes around a short message',
    clis: cliNames,
    begin: () => ({ now: {}, before: {} }),
    take: (name, taken) =>
      withLives(name, builds, around.signal, async (lives) => {
        for (const build of ['now', 'before'] as const) await takeAll(lives[build], taken[build]);
      }),
    // The tools' words are the same for every CLI.
    toRows: (done) => done.flatMap((one, i) => describeCli(one, i === 0)),
    how: `One agent of each CLI launched by this build and one by ${before.commit}. Counted in the model's request: every string that holds a message, without the message's own words, however often they stand there. \
Ours: the fence or the line that signalbox writes; in all: with what the CLI adds in the same strings. Further: what two messages that were sent together cost more than one. \
Notices are from an agent whose name has ${sender.length} letters, prompts from the user at a terminal. The result of check_inbox is read at the tools' proxy, with no CLI.`,
  });
}

async function takeAll(life: Life, costs: Record<string, Cost>): Promise<void> {
  await life.box.ask(['agents', 'add', sender]);
  for (const way of ways) costs[way.what] = await takeWay(life, way);
  const [first, both] = await takeResults(life.box, sender);
  costs[inbox] = { route: 'tool result', first, further: subtract(both, first) };
}

async function takeWay(life: Life, way: Way): Promise<Cost> {
  const { route, around: first } = await takeOne(life, way, 1);
  if (!way.isBusy) return { route, first };
  const { around: both } = await takeOne(life, way, 2);
  return { route, first, further: subtract(both, first) };
}

async function takeOne(
  life: Life,
  { isUsers, isBusy, isLong }: Way,
  count: number,
): Promise<{ readonly route: string; readonly around: Around }> {
  const { mock, box, lab } = life;
  await waitForRest(life, { ...paces[lab.name], quietMs: restMs });
  if (isBusy) {
    const turn = await life.ask('@@sleep 6 @@say a slow answer');
    await life.hears('processing', isProcessing, turn.from);
  }
  const more = isLong ? ` ${'one more word '.repeat(longBytes / 14)}and no more` : '';
  const bodies = Array.from({ length: count }, () => `${createWord()}, please look into it${more}`);
  const ids: string[] = [];
  for (const body of bodies) {
    const { id } = isUsers
      ? await box.askAsUser<SendResult>(['send', 'lab', body])
      : await box.ask<SendResult>(['send', 'lab', body, '--from', sender]);
    ids.push(id);
  }
  const holdsAll = ({ isSide, body }: LoggedRequest): boolean =>
    !isSide && bodies.every((one) => body.includes(one));
  const { body } = await mock.waitFor(holdsAll, patienceMs);
  const { attempts } = await box.ask<Explanation>(['explain', ids.at(-1) ?? '']);
  return { route: attempts.at(-1)?.route ?? 'none', around: countAround(body, bodies) };
}

/** A turn that has just ended may be followed by another. */
const restMs = 1500;

function subtract(both: Around, one: Around): Around {
  return { ours: both.ours - one.ours, all: both.all - one.all, copies: both.copies };
}

function describeCli({ name, taken }: Taken<Costs>, isFirst: boolean): readonly Row[] {
  const rows: Row[] = [];
  for (const [what, now] of Object.entries(taken.now)) {
    const before = taken.before[what];
    if (!before || (what === inbox && !isFirst)) continue;
    const route = now.route === before.route ? now.route : `${now.route}; before ${before.route}`;
    const who = `${what === inbox ? 'tools' : `${name} ${pins[name].version}`}, ${what} (${route})`;
    const bytes = (kind: 'ours' | 'all', which: 'first' | 'further'): Omit<Row, 'what'> => ({
      measured: { value: now[which]?.[kind] ?? Number.NaN, unit: '' },
      against: {
        what: 'before',
        quantity: { value: before[which]?.[kind] ?? Number.NaN, unit: '' },
      },
    });
    rows.push({ what: `${who}: first, ours`, ...bytes('ours', 'first'), bar: bars.first });
    rows.push({
      what: `${who}: first, in all, the words ${times(now)} (before ${times(before)})`,
      ...bytes('all', 'first'),
    });
    if (!now.further || !before.further) continue;
    rows.push({ what: `${who}: further, ours`, ...bytes('ours', 'further'), bar: bars.further });
    rows.push({ what: `${who}: further, in all`, ...bytes('all', 'further') });
  }
  return rows;
}

function times({ first: { copies } }: Cost): string {
  return copies === 1 ? 'once' : `${copies} times`;
}
