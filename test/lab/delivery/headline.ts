import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeScriptedProvider } from '../../../src/demo/scripted-provider.ts';
import type { InboxList, MessageView } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { isProcessing, type Life, patienceMs } from '../life/life.ts';
import { settles } from './cases-usual.ts';
import { Post } from './post.ts';
import { traits } from './traits.ts';

/** What `explain` said of each completion, by CLI; `--stories` keeps it. */
export const stories = new Map<string, readonly string[]>();

const children = ['child-1', 'child-2', 'child-3'] as const;

/** Why the product exists: children report to a parent that is busy, and to one that rests. */
export const headline: Check = {
  name: 'headline',
  promise:
    "O1: a busy parent gets three children's completions at its next turn boundary, once each, in order, without a keystroke; an idle one at once",
  run: async (life) => {
    const { busy, idle } = traits[life.lab.name];
    await launchChildren(life);
    const turn = await life.ask('@@sleep 10 @@say the parent was busy');
    await life.hears('processing', isProcessing, turn.from);
    for (const child of children) await work(life, child);
    const reported = await completions(life, children.length);
    must(turn.request.outcome === undefined, 'the children were not done while the parent worked');
    await areSeen(life, reported, busy, turn.request.n);
    await settles(life);
    await work(life, 'child-1');
    const late = (await completions(life, children.length + 1)).slice(-1);
    await areSeen(life, late, idle, life.mock.requests.length - 1);
    await settles(life);
    const told: string[] = [];
    for (const { id } of [...reported, ...late]) told.push(await life.box.show(['explain', id]));
    stories.set(life.lab.name, told);
    return undefined;
  },
};

async function launchChildren(life: Life): Promise<void> {
  const program = join(dirname(life.box.program), 'scripted-agent.cjs');
  const config = writeScriptedProvider([process.execPath, program]);
  writeFileSync(join(life.box.state, 'config.yaml'), config);
  for (const child of children) {
    // They get their work by paste, wherever their parent lives.
    const where = ['--parent', 'lab', '--terminal', 'tmux'];
    await life.box.ask(['launch', 'scripted', '--name', child, ...where]);
  }
}

/** One turn of a child, begun by a message like any other. */
async function work(life: Life, child: string): Promise<void> {
  await life.box.ask(['send', child, `@@work 800ms @@say ${child} is done`]);
}

async function completions(life: Life, count: number): Promise<readonly MessageView[]> {
  let found: readonly MessageView[] = [];
  const areThere = async (): Promise<boolean> => {
    const { messages } = await life.box.ask<InboxList>(['inbox', 'list', 'lab', '--state', 'all']);
    found = messages.filter(({ kind }) => kind === 'completion');
    return found.length >= count;
  };
  await waitUntil(`${count} completions`, areThere, patienceMs);
  must(found.length === count, `${found.length} completions instead of ${count}`);
  return found;
}

/**
 * Each of them seen, by that route, after the running turn, once, in the order of the ledger: in
 * one turn, or in one after the other where the CLI's own queue carries them.
 */
async function areSeen(
  life: Life,
  messages: readonly MessageView[],
  route: string,
  after: number,
): Promise<void> {
  const post = new Post(life);
  for (const { id } of messages) {
    const story = await post.becomes({ id, word: '' }, ['seen', 'acked']);
    const carried = story.attempts.at(-1)?.route;
    must(carried === route, `${carried} carried a completion, not ${route}`);
  }
  const last = messages.at(-1)?.number;
  const request = life.mock.requests.find(
    ({ n, isSide, body }) => n > after && !isSide && headerOf(last).test(body),
  );
  const body = request?.body ?? '';
  const places = messages.map(({ number }) => body.search(headerOf(number)));
  must(
    places.every((at, i) => at >= 0 && at > (places[i - 1] ?? -1)),
    'not all of them, in order',
  );
  for (const { id, number } of messages) {
    must(body.split(headerOf(number)).length === 2, `${id} stands there more than once`);
  }
}

/**
 * The first line of a message within its fence, behind the mark's short form or, in JSON, right
 * below the fence.
 */
function headerOf(number: number | undefined): RegExp {
  return new RegExp(`(?:--- \\w{8} |<signalbox mark_\\w{16}>\\\\n)${number} `);
}
