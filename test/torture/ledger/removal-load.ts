import { systemClock } from '../../../src/shared/clock.ts';
import { runDrainer } from './drain-load.ts';
import type { Run } from './run.ts';
import { sendToRemoved } from './send-load.ts';

/**
 * An agent comes, gets messages, perhaps takes some, and is removed while more are on their way and
 * while whoever removes it is killed too. What it did not take must end dead and bounced; what is
 * sent to it afterwards must be refused.
 */
export async function runVisitor(run: Run, name: string): Promise<void> {
  const args = ['agents', 'add', name, '--json'];
  const added = await run.runCli(args, { role: 'agents add', input: '' });
  if (added.code !== 0) run.observer.complain(`agents add ${name}: ${added.code} ${added.stderr}`);
  run.world.visitors.add(name);
  let isHere = true;
  const takes = run.random.chance(0.5);
  const drainer = (async () => {
    while (takes && isHere && run.isLoaded) await runDrainer(run, name);
  })();
  await run.pause(600, 3000);
  await remove(run, name);
  isHere = false;
  await drainer;
  await sendToRemoved(run, name);
}

/** Repeated until somebody is told that it is done. */
async function remove(run: Run, name: string): Promise<void> {
  // Some senders learn of it only by the refusal.
  if (run.random.chance(0.5)) run.world.visitors.delete(name);
  run.world.beginRemoval(name, systemClock.monotonicMs());
  for (let died = false; ; died = true) {
    const end = run.chooseEnd('remove', 'rm', { window: 0.45, kill: 0.25 });
    const options = { role: 'rm', input: '' };
    const ending = await run.runCli(['rm', name, '--json'], options, end);
    run.noteHit(end, ending, 'cli');
    if (ending.how !== 'ended') continue;
    // Whoever died before may have done it.
    if (ending.code !== 0 && !(ending.code === 3 && died))
      run.observer.complain(`rm ${name} ended with ${ending.code}: ${ending.stderr}`);
    break;
  }
  run.world.endRemoval(name, systemClock.monotonicMs());
}
