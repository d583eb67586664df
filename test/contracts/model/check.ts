import type { Message } from '../../../src/messages/message.ts';
import type { Play } from './play.ts';
import { isLegal, type Letter, type Promises, type State } from './promise.ts';

export const everyState: readonly State[] = [
  'queued',
  'claimed',
  'injected',
  'seen',
  'acked',
  'uncertain',
  'superseded',
  'expired',
  'dead',
];

/** The promise learns of a message that the ledger accepted. */
export function learn(promises: Promises, message: Message): void {
  const letter: Letter = {
    id: message.id,
    order: message.seq,
    kind: message.kind,
    from: message.from,
    to: message.to,
    answersTask: message.answersTask,
    expiresAt: message.expiresAt ?? Number.POSITIVE_INFINITY,
    state: message.state as State,
    mayRepeat: false,
    notLanded: 0,
    reoffered: false,
    tries: new Map(),
    ...(message.child === undefined ? {} : { child: message.child }),
    ...(message.reason === undefined ? {} : { reason: message.reason }),
  };
  promises.accept(letter);
}

/**
 * After every step: the ledger says of every message what the promise says, and it got there by
 * legal moves.
 */
export async function check(promises: Promises, play: Play): Promise<void> {
  const { ledger } = play.world;
  const all = await ledger.read((tx) =>
    tx.messages.list({ states: everyState, includeDiscarded: true, limit: 100_000 }),
  );
  learnNews(promises, all);
  if (all.length !== promises.letters.size) throw new Error('a message was lost');
  for (const message of all) {
    const letter = promises.letters.get(message.id);
    if (letter?.state !== message.state) {
      throw new Error(`${message.id} is ${message.state}, should be ${letter?.state}`);
    }
    const fields = [message.mayRepeat, message.notLanded, message.reoffered, message.attempts];
    const wanted = [letter.mayRepeat, letter.notLanded, letter.reoffered, letter.tries.size];
    if ((message.discardedAt !== undefined) !== (letter.isHidden === true)) {
      throw new Error(`${message.id}: hidden ${message.discardedAt}, should be ${letter.isHidden}`);
    }
    if (fields.join() !== wanted.join()) {
      throw new Error(`${message.id} has ${fields}, should have ${wanted}`);
    }
  }
  await checkMoves(play, all);
  await checkClaims(promises, play);
  checkLastWins(all);
}

/**
 * Whatever the ledger wrote by itself must be a bounce or notice that the promise demanded, and
 * none may be missing.
 */
function learnNews(promises: Promises, all: readonly Message[]): void {
  const expected = promises.news.map(({ kind, to, about }) => `${kind} ${to} ${about}`);
  const unknown = all.filter(({ id }) => !promises.letters.has(id));
  const found = unknown.map(({ kind, to, replyTo }) => `${kind} ${to} ${replyTo.join()}`);
  if (expected.toSorted().join() !== found.toSorted().join()) {
    throw new Error(`told [${found}], should tell [${expected}]`);
  }
  for (const message of unknown) learn(promises, message);
}

async function checkMoves(play: Play, all: readonly Message[]): Promise<void> {
  for (const { id, state } of all) {
    const history = await play.world.ledger.read((tx) => tx.messages.history(id));
    let at: State | null = null;
    for (const { from, to } of history) {
      if (from !== at) throw new Error(`${id}: a move from ${from}, but it was ${at}`);
      if (from !== null && !isLegal(from as State, to as State)) {
        throw new Error(`${id}: illegal move ${from} > ${to}`);
      }
      at = to as State;
    }
    if (at !== state) throw new Error(`${id} is ${state}, its history ends in ${at}`);
  }
}

async function checkClaims(promises: Promises, play: Play): Promise<void> {
  for (const agent of promises.living) {
    const live = await play.world.ledger.read((tx) => tx.claims.listLive(agent));
    const wanted = [...promises.grips.values()].filter((g) => g.to === agent && promises.isLive(g));
    const tokens = live.map(({ token }) => token);
    if (tokens.join() !== wanted.map(({ token }) => token).join()) {
      throw new Error(`live claims of ${agent}: ${tokens}`);
    }
    if (live.filter(({ route }) => route !== 'pull').length > 1) {
      throw new Error(`${agent} has two live claims that put text into its conversation`);
    }
    const held: string[] = [];
    for (const claim of live) {
      const carried = await play.world.ledger.read((tx) => tx.claims.listCarried(claim, 'claimed'));
      held.push(...carried.map(({ id }) => id));
    }
    if (new Set(held).size !== held.length) throw new Error('one message in two live claims');
  }
}

function checkLastWins(all: readonly Message[]): void {
  const seen = new Set<string>();
  for (const { kind, state, child, to, answersTask } of all) {
    if (kind !== 'completion' || state !== 'queued' || answersTask) continue;
    if (seen.has(`${child} ${to}`)) throw new Error(`two queued completions of ${child} for ${to}`);
    seen.add(`${child} ${to}`);
  }
}
