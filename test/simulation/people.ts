import type { FakeAgent } from './agent.ts';
import type { World } from './world.ts';

/** Somebody at an agent's terminal does one thing, or one after another. */
export function actAsPerson(world: World, agent: FakeAgent): void {
  const { random, chosen } = world;
  const acts: (() => void)[] = [() => agent.prompt()];
  if (chosen.peopleInterrupt)
    acts.push(
      () => pressEscape(world, agent),
      () => pressEscape(world, agent),
    );
  if (chosen.peopleClear)
    acts.push(
      () => leave(world, agent),
      () => goBack(world, agent),
    );
  if (chosen.peopleInterrupt && chosen.peopleClear) {
    acts.push(
      () => pressEscapeAndLeave(world, agent),
      () => pressEscapeAndLeave(world, agent),
    );
  }
  if (chosen.peopleType)
    acts.push(
      () => type(world, agent),
      () => scroll(world, agent),
    );
  random.pick(acts)();
}

/** Esc: now, or as soon as something has come in, been answered or been queued. */
function pressEscape({ random }: World, agent: FakeAgent, next = (): void => undefined): void {
  // A queue that stays behind with its conversation is what a person can do most harm to.
  const isRisky = agent.kind.onLeave === 'kept' && random.chance(0.6);
  const when = isRisky ? 'queued' : random.pick(['now', 'landed', 'answered', 'queued'] as const);
  if (when === 'now') {
    agent.interrupt();
    next();
  } else agent.wish.set(when, next);
}

/** Esc, then `/new` or `/clear`; and back, at times. */
function pressEscapeAndLeave(world: World, agent: FakeAgent): void {
  pressEscape(world, agent, () => agent.after(100, 4000, () => leave(world, agent)));
}

function leave(world: World, agent: FakeAgent): void {
  const { random, account, faults } = world;
  if (!faults) return;
  const hasQueue = agent.queue.length > 0;
  const isKept = random.chance(hasQueue ? 0.8 : 0.6);
  if (!agent.show(agent.talk.next, isKept ? 'kept' : 'cleared')) return;
  account.note(agent.kind.name, isKept ? '/new' : '/clear');
  if (isKept && random.chance(hasQueue ? 0.9 : 0.5))
    agent.after(500, hasQueue ? 20_000 : 90_000, () => goBack(world, agent));
}

/** `/resume`; to one that was left with something in its queue, if there is one. */
function goBack({ random, account, faults }: World, agent: FakeAgent): void {
  if (!faults) return;
  const others = agent.talk.listOthers();
  if (others.length === 0) return;
  const waiting = others.filter((id) => agent.queue.isWaitingIn(id));
  if (!agent.show(random.pick(waiting.length > 0 ? waiting : others))) return;
  account.note(agent.kind.name, waiting.length > 0 ? '/resume to a queue' : '/resume');
}

function scroll({ account }: World, agent: FakeAgent): void {
  account.note(agent.kind.name, 'scrolling');
  agent.composer.isInCopyMode = true;
  agent.after(200, 8000, () => {
    agent.composer.isInCopyMode = false;
  });
}

/** A person types, looks at it for a while, and sends it or not. */
function type(world: World, agent: FakeAgent): void {
  if (!agent.isAtRest) return;
  world.account.note(agent.kind.name, 'typing');
  agent.composer.set(`${agent.composer.text}some words `, 'person');
  agent.after(1000, 12_000, () => finishTyping(world, agent));
}

export function finishTyping({ random }: World, agent: FakeAgent): void {
  if (agent.composer.isEmpty || !agent.isAtRest) return;
  if (random.chance(0.5)) agent.submit('person');
  else agent.composer.set('', 'person');
}
