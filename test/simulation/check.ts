import { isUser } from '../../src/agents/agent.ts';
import { budgetOf } from '../../src/agents/wake-budget.ts';
import type { Attempt } from '../../src/messages/claim.ts';
import { messageStates } from '../../src/messages/transitions.ts';
import type { FakeAgent } from './agent.ts';
import { isEnd } from './calm.ts';
import { checkPointers } from './check-pointers.ts';
import { checkProof } from './check-proof.ts';
import { type Story, tell } from './story.ts';
import type { World } from './world.ts';

/** The promise, held against what really happened. Returns what was broken. */
export async function check(world: World): Promise<readonly string[]> {
  const broken = [...world.truth.violations, ...(await checkPointers(world))];
  const bounced = await listBounced(world);
  for (const agent of world.agents) {
    const stories = await readStories(world, agent);
    for (const story of stories) {
      broken.push(...(await checkEnd(world, agent, story, bounced)));
      broken.push(...checkProof(world, agent, story));
    }
    broken.push(...checkCopies(world, agent, stories));
    // What a spent budget holds back is overtaken by what it does not bind (rule 21).
    for (const some of world.isTight ? splitByBudget(stories) : [stories])
      broken.push(...checkOrder(world, agent, some));
    broken.push(...checkTexts(world, agent, stories), ...checkWakes(world, agent));
  }
  return broken;
}

/** Promise 2: nothing accepted is lost. */
async function checkEnd(
  world: World,
  agent: FakeAgent,
  story: Story,
  bounced: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { message } = story;
  const { judged } = world.truth;
  judged.note('promise 2: an end');
  switch (message.state) {
    case 'seen':
    case 'acked':
    case 'superseded':
      return [];
    case 'dead':
    case 'expired': {
      const isNews = message.kind === 'bounce' || message.kind === 'notice';
      const isAnybody = !world.agents.some(({ id, isRemoved }) => isRemoved && id === message.from);
      // At most one for each child and reason (rule 29).
      const isOrphan = message.reason === 'parent_removed' || message.reason === 'orphan';
      if (isNews || !isAnybody || isOrphan) return [];
      judged.note('promise 2: a bounce');
      return bounced.has(message.id) ? [] : [tell('it ended without a bounce', agent, story)];
    }
    case 'queued':
    case 'injected':
      return !agent.isRemoved && (await isEnd(world, message))
        ? []
        : [tell('it is lost', agent, story)];
    default:
      return [tell('it is lost', agent, story)];
  }
}

/**
 * Rule 13: a message is only named where no text could hold it. And no text goes to another agent.
 */
function checkTexts(
  { truth }: World,
  agent: FakeAgent,
  stories: readonly Story[],
): readonly string[] {
  const byId = new Map(stories.map((story) => [story.message.id, story]));
  const copies = truth.landings
    .filter(({ agent: id }) => id === agent.id)
    .flatMap(({ entry }) => entry.copies);
  truth.judged.note('rule 13: a copy in a text', copies.length);
  truth.judged.note('rule 13: a pointer', copies.filter(({ isPointer }) => isPointer).length);
  return copies.flatMap(({ id, isPointer }) => {
    const story = byId.get(id);
    if (!story) return [`${id} came to ${agent.id}, for whom it was not`];
    const isShort = story.message.body.length < 7000;
    return isPointer && isShort ? [tell('rule 13: short, and only named', agent, story)] : [];
  });
}

/**
 * Promise 3: of all copies in one life, or in one conversation, at most one does not say that it
 * may be a repeat.
 */
function checkCopies(
  { truth }: World,
  agent: FakeAgent,
  stories: readonly Story[],
): readonly string[] {
  const found = new Map<string, Set<string>>();
  const copies = new Map<string, number>();
  for (const { agent: id, entry } of truth.landings) {
    if (id !== agent.id || entry.removed === 'refused') continue;
    for (const copy of entry.copies) {
      if (copy.isPointer) continue;
      copies.set(copy.id, (copies.get(copy.id) ?? 0) + 1);
      if (copy.isRepeat) continue;
      for (const where of [`life ${entry.epoch}`, `conversation ${entry.conversation}`]) {
        const key = `${copy.id} ${where}`;
        const marks = found.get(key) ?? new Set();
        found.set(key, marks.add(entry.mark));
      }
    }
  }
  const several = [...copies.values()].filter((times) => times > 1).length;
  truth.judged.note('promise 3: copies of one message', several);
  const twice = new Set(
    [...found].filter(([, marks]) => marks.size > 1).map(([key]) => key.split(' ')[0]),
  );
  return stories
    .filter(({ message }) => twice.has(message.id))
    .map((story) => tell('promise 3: read twice, and neither copy says so', agent, story));
}

function splitByBudget(stories: readonly Story[]): readonly (readonly Story[])[] {
  return [undefined, 'wakes', 'scripts'].map((budget) =>
    stories.filter(({ message }) => budgetOf(message) === budget),
  );
}

/**
 * Rule 15: first offers in order, urgent ones apart; and what came in on its first try came in that
 * order.
 */
function checkOrder(
  { truth }: World,
  agent: FakeAgent,
  stories: readonly Story[],
): readonly string[] {
  const broken: string[] = [];
  const plain = stories.filter(({ message }) => !message.urgent);
  let lastToken = 0;
  for (const story of plain) {
    const first = story.attempts[0]?.token;
    if (first === undefined) continue;
    if (lastToken > 0) truth.judged.note('rule 15: first offers');
    if (first < lastToken) broken.push(tell('rule 15: offered out of order', agent, story));
    lastToken = Math.max(lastToken, first);
  }
  const byId = new Map(plain.map((story) => [story.message.id, story]));
  let last: Story | undefined;
  const marks = new Set<string>();
  for (const { agent: id, entry } of truth.landings) {
    // What was put back into the composer and sent again has its place already.
    if (id !== agent.id || marks.has(entry.mark)) continue;
    marks.add(entry.mark);
    for (const copy of entry.copies) {
      const story = byId.get(copy.id);
      const attempt = story?.attempts[0];
      if (
        !story ||
        truth.late.has(entry.mark) ||
        attempt?.mark !== entry.mark ||
        attempt.epoch !== entry.epoch
      )
        continue;
      if (story.history.some(({ to }) => to === 'uncertain')) continue;
      if (last) truth.judged.note('rule 15: first arrivals');
      if (last && last.message.seq > story.message.seq) {
        broken.push(
          tell(`rule 15: ${tell('came in before', agent, last)}\n  came in after`, agent, story),
        );
      }
      if (!last || last.message.seq < story.message.seq) last = story;
    }
  }
  return broken;
}

/**
 * Rule 21, where it binds all senders. Hours are counted from their first wake, so that two of them
 * may meet.
 */
function checkWakes(
  { truth, chosen, limits, senders, isTight }: World,
  agent: FakeAgent,
): readonly string[] {
  if (chosen.wallJumps || senders.some((id) => isUser({ id }))) return [];
  const wakes = truth.wakes.filter(({ agent: id }) => id === agent.id);
  // An urgent message for a working agent may find it at rest; that was no wake when it was said.
  const most = 2 * limits.wakes + 2;
  if (isTight) truth.judged.note('rule 21: wakes under a small budget', wakes.length);
  const isTooMany = wakes.some(({ at }, i) => {
    const first = wakes[i - most];
    return first !== undefined && at - first.at < 3_600_000;
  });
  return isTooMany ? [`rule 21: ${agent.id} was woken more than ${most} times within an hour`] : [];
}

async function readStories(world: World, agent: FakeAgent): Promise<readonly Story[]> {
  return world.inner.read(async (tx) => {
    const query = { to: agent.id, states: messageStates, limit: 100_000, includeDiscarded: true };
    const stories: Story[] = [];
    for (const message of await tx.messages.list(query)) {
      const attempts: (Attempt & { mark: string })[] = [];
      for (const attempt of await tx.claims.listAttempts(message.id)) {
        const claim = await tx.claims.find(attempt.token);
        if (claim) attempts.push({ ...attempt, mark: claim.mark });
      }
      stories.push({ message, history: await tx.messages.history(message.id), attempts });
    }
    return stories;
  });
}

async function listBounced(world: World): Promise<ReadonlySet<string>> {
  const query = { states: messageStates, limit: 1_000_000, includeDiscarded: true };
  const all = await world.inner.read((tx) => tx.messages.list(query));
  const bounced = all.filter(({ kind }) => kind === 'bounce').flatMap(({ replyTo }) => replyTo);
  // Whoever gave a task is told by what ended it.
  const told = all.filter(({ answersTask }) => answersTask).flatMap(({ replyTo }) => replyTo);
  return new Set([...bounced, ...told]);
}
