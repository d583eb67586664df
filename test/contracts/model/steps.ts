import fc from 'fast-check';
import { claim, recordInjected } from '../../../src/delivery/claim.ts';
import { retry } from '../../../src/delivery/dead-letters.ts';
import { prove } from '../../../src/delivery/prove.ts';
import { resolve } from '../../../src/delivery/resolve.ts';
import { completeTurn } from '../../../src/fleet/complete-turn.ts';
import { remove } from '../../../src/fleet/remove.ts';
import { check, everyState, learn } from './check.ts';
import type { Play } from './play.ts';
import type { Letter, Promises } from './promise.ts';

/**
 * One step of a random program: the same thing done to the promise and to the ledger, then
 * compared.
 */
interface Step {
  readonly label: string;
  run(promises: Promises, play: Play): Promise<void>;
}

function command(label: string, run: Step['run']): fc.AsyncCommand<Promises, Play> {
  return {
    check: () => true,
    run: async (promises, play) => {
      promises.now = play.world.clock.now();
      promises.boot = play.world.clock.monotonicMs();
      promises.news = [];
      await run(promises, play);
      await check(promises, play);
    },
    toString: () => label,
  };
}

const everything = { states: everyState, includeDiscarded: true, limit: 100_000 };
const pick = fc.nat({ max: 1000 });

export function send(n: number, from: number, task: boolean, ttl: number) {
  return command(
    `send(to ${n}, from ${from}, ${task ? 'task' : 'message'}, ttl ${ttl})`,
    async (p, play) => {
      const [to, sender] = [play.agent(n), play.agent(from)];
      if (!to || !sender) return;
      const expiresAt = ttl > 0 ? promiseTime(p, ttl) : undefined;
      const isCircle = task && (await isAwaitedBy(play, sender.id, to.id));
      const outcome = await play.world.accept({
        to: to.id,
        from: sender.id,
        kind: task ? 'task' : 'message',
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      if (outcome.outcome === 'recipient-waits' && isCircle) return;
      if (isCircle) throw new Error(`two wait for each other: ${outcome.outcome}`);
      if (outcome.outcome !== 'accepted') throw new Error(outcome.outcome);
      learn(p, outcome.message);
    },
  );
}

/** Rule 30: whether the one waits for the other's answer, at whatever remove. */
async function isAwaitedBy(play: Play, debtor: string, creditor: string): Promise<boolean> {
  const debts = await play.world.ledger.read((tx) => tx.debts.listOpen());
  const isOwed = (by: string, passed: readonly string[]): boolean =>
    by === creditor ||
    debts.some(
      (debt) =>
        debt.debtor === by &&
        !passed.includes(debt.creditor) &&
        isOwed(debt.creditor, [...passed, by]),
    );
  return isOwed(debtor, []);
}

const promiseTime = (p: Promises, ttl: number): number => p.now + ttl;

function turn(n: number) {
  return command(`turn(${n})`, async (p, play) => {
    const child = play.child(n);
    if (!child) return;
    const entered = p.inbox(child.id, 'seen', 'injected').filter(({ kind }) => kind === 'task');
    const completions = await completeTurn(play.world.ledger, play.world.clock, {
      child: child.id,
      turn: { session: 's', id: `t${play.turns++}`, stop: 1 },
      outcome: 'completed',
      summary: 'done',
      entered: entered.slice(0, 1).map(({ id }) => id),
    });
    for (const completion of completions) {
      learn(p, completion);
      if (!completion.answersTask) continue;
      // The agent has answered for the task.
      for (const letter of p.letters.values()) {
        if (completion.replyTo.includes(letter.id) && letter.kind === 'task') p.ack(letter);
      }
    }
  });
}

function take(n: number, puts: boolean, count: number, holder: number) {
  return command(
    `claim(${n}, ${puts ? 'native' : 'pull'}, ${count}, process ${holder % 3})`,
    async (p, play) => {
      // Mostly where there is something to take; an empty inbox now and then.
      const withMail = play.agents.filter(
        ({ id }) => p.inbox(id, 'queued', 'uncertain').length > 0,
      );
      const to = n % 10 === 0 ? play.agent(n) : play.choose(withMail, n);
      if (!to) return;
      const busy =
        puts && [...p.grips.values()].some((g) => g.to === to.id && g.puts && p.isLive(g));
      const expected = busy ? [] : p.take(to.id, puts, count);
      const as = play.process(holder);
      const route = puts ? 'native' : 'pull';
      const request = {
        recipient: to.id,
        route,
        epoch: 0,
        provable: true,
        count,
        bytes: 1e9,
      } as const;
      const result = await play.world.ledger.write((tx) => claim(tx, as.surroundings, request));
      const got = result.outcome === 'claimed' ? result.messages : [];
      const wanted = expected.map(({ id, mayRepeat }) => `${id} ${mayRepeat}`);
      const found = got.map(({ id, mayRepeat }) => `${id} ${mayRepeat}`);
      if (found.join() !== wanted.join()) throw new Error(`took ${found}, should take ${wanted}`);
      if (result.outcome !== 'claimed') return;
      const { token, mark, leaseMs } = result.claim;
      const until = p.boot + leaseMs;
      p.grips.set(token, { token, mark, to: to.id, puts, holder: as.pid, until });
      for (const letter of expected) {
        letter.state = 'claimed';
        letter.tries.set(token, false);
      }
    },
  );
}

function inject(n: number) {
  return command(`inject(${n})`, async (p, play) => {
    const grip = play.choose([...p.grips.values()], n);
    if (!grip) return;
    for (const letter of p.carried(grip.token, 'claimed')) letter.state = 'injected';
    await play.world.ledger.write((tx) => recordInjected(tx, p.now, grip.token, 'done'));
  });
}

function see(n: number) {
  return command(`see(${n})`, async (p, play) => {
    const grip = play.choose([...p.grips.values()], n);
    // Only what was put there can be read: a claim that never acted leaves no evidence.
    if (!grip || !hasActed(p, grip.token)) return;
    p.see(grip.token);
    const proof = { mark: grip.mark, evidence: 'read' };
    await play.world.ledger.write((tx) => prove(tx, p.now, proof));
  });
}

function hasActed(p: Promises, token: number): boolean {
  return [...p.letters.values()].some(
    ({ tries, state }) => tries.has(token) && state !== 'claimed',
  );
}

function onLetter(
  name: string,
  n: number,
  run: (p: Promises, play: Play, letter: Letter) => Promise<void>,
) {
  return command(`${name}(${n})`, async (p, play) => {
    const letter = play.choose([...p.letters.values()], n);
    if (letter) await run(p, play, letter);
  });
}

const ack = (n: number) =>
  onLetter('ack', n, async (p, play, letter) => {
    p.ack(letter);
    await play.world.ack(letter.id);
  });

const judge = (n: number, verdict: 'absent' | 'held' | 'no-proof') =>
  onLetter(`resolve ${verdict}`, n, async (p, play, letter) => {
    p.resolve(letter, verdict);
    const message = await play.world.message(letter.id);
    await play.world.ledger.write((tx) => resolve(tx, p.now, message, verdict, 'a verdict'));
  });

/**
 * Aimed at what is dead or expired; at anything else it must do nothing, which the plain one tries.
 */
const retryDead = (n: number) =>
  command(`retry the dead(${n})`, async (p, play) => {
    const dead = [...p.letters.values()].filter(
      ({ state }) => state === 'dead' || state === 'expired',
    );
    const letter = play.choose(dead, n);
    if (letter) await retryOne(p, play, letter);
  });

async function retryOne(p: Promises, play: Play, letter: Letter): Promise<void> {
  p.retry(letter);
  const message = await play.world.message(letter.id);
  await play.world.ledger.write((tx) => retry(tx, p.now, message));
}

const retryStep = (n: number) => onLetter('retry', n, retryOne);

function settle(n: number) {
  return command(`settle(${n})`, async (p, play) => {
    const agent = play.agent(n);
    if (!agent) return;
    p.settle(agent.id);
    await play.world.settle(agent);
  });
}

const crash = (n: number) =>
  command(`crash(process ${n % 3})`, async (p, play) => {
    p.dead.add(play.kill(n));
  });

const pass = (ms: number) =>
  command(`pass(${ms} ms)`, async (_, play) => play.world.clock.pass(ms));

const setWall = (ms: number) =>
  command(`clock jumps ${ms} ms`, async (_, { world }) => {
    world.clock.setWall(world.clock.now() + ms);
  });

function removeStep(n: number) {
  return command(`remove(${n})`, async (p, play) => {
    const agent = play.agent(n);
    if (!agent || agent.id === 'agt_user') return;
    const ended = await remove(play.world.ledger, play.world.process(), agent.id);
    p.now = play.world.clock.now();
    p.boot = play.world.clock.monotonicMs();
    // It waited for attempts in flight, and settled what was due.
    p.settle(agent.id);
    // Tasks that it had read, or may have read, and not answered: its end is told to whoever gave
    // them.
    const { ledger } = play.world;
    const all = await ledger.read((tx) => tx.messages.list({ ...everything, party: agent.id }));
    const told = all.filter(({ id, outcome }) => outcome === 'exited' && !p.letters.has(id));
    if (new Set(told.map(({ to }) => to)).size < told.length) throw new Error('told twice');
    for (const completion of told) learn(p, completion);
    // A task that had expired before somebody retried it is owed no longer: it bounces.
    const toldOf = new Set<string>();
    for (const { id, replyTo } of told) {
      for (const task of replyTo) {
        const debt = await ledger.read((tx) => tx.debts.find(task));
        if (debt?.endedBy === id) toldOf.add(task);
      }
    }
    p.remove(agent.id, toldOf);
    play.forget(ended.agent);
  });
}

const add = (parent: number) =>
  command(`add(child of ${parent})`, async (p, play) => {
    const agent = await play.add(parent);
    p.living.add(agent.id);
    if (agent.parent) p.children.set(agent.id, agent.parent);
  });

export const steps = [
  fc.tuple(pick, pick, fc.boolean(), fc.constantFrom(0, 0, 0, 500, 5000)).map((a) => send(...a)),
  fc.tuple(pick, pick, fc.boolean(), fc.constant(0)).map((a) => send(...a)),
  pick.map(turn),
  fc.tuple(pick, fc.boolean(), fc.integer({ min: 1, max: 4 }), pick).map((a) => take(...a)),
  fc.tuple(pick, fc.boolean(), fc.integer({ min: 1, max: 4 }), pick).map((a) => take(...a)),
  pick.map(inject),
  pick.map(inject),
  pick.map(see),
  pick.map(ack),
  fc.tuple(pick, fc.constantFrom('absent', 'held', 'no-proof')).map((a) => judge(...a)),
  fc.tuple(pick, fc.constantFrom('absent', 'held', 'no-proof')).map((a) => judge(...a)),
  pick.map(retryStep),
  pick.map(retryDead),
  pick.map(settle),
  pick.map(settle),
  pick.map(crash),
  fc.constantFrom(1, 400, 6000, 31_000).map(pass),
  fc.constantFrom(-86_400_000, 86_400_000).map(setWall),
  pick.map(removeStep),
  pick.map(add),
] as const;
