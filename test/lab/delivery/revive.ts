import type { Check } from '../life/check.ts';

/** A case that failed may have left no agent: the next one begins with one all the same. */
export function revive({ run, hasOwnAgent, hasOwnLife }: Check): Check['run'] {
  if (hasOwnLife) return run;
  return async (life) => {
    if (hasOwnAgent) {
      life.gate.release();
      life.gate.refuse(undefined);
      await life.renew();
    } else if (life.isLaunched && life.current?.status === 'exited') {
      await life.box.up();
      const from = life.events.length;
      await life.restart();
      await life.isReady(from);
    }
    return run(life);
  };
}
