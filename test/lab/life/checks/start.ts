import { setTimeout as delay } from 'node:timers/promises';
import { type Check, must } from '../check.ts';
import { isAtRest, isProcessing } from '../life.ts';

export const startChecks: readonly Check[] = [
  {
    name: 'idle',
    promise: 'after the start it is idle with an empty composer, and no turn was begun',
    isShort: true,
    run: async (life) => {
      const startedAt = performance.now();
      await life.launch();
      await life.hears('idle', ({ status }) => status === 'idle');
      const idle = performance.now() - startedAt;
      await life.hears('an empty composer', ({ composer }) => composer === 'empty');
      const shown = await life.show();
      must(shown.status === 'idle', `status says ${shown.status} ${shown.detail ?? ''}`);
      must(!life.events.some(isProcessing), 'it was called processing before its first turn');
      must(
        life.mock.requests.every(({ isSide }) => isSide),
        'the model was asked something',
      );
      must(shown.providerVersion === life.home.cli.version, `version ${shown.providerVersion}`);
      return { idle };
    },
  },
];

/** In a life of its own, whose home has not answered the question. */
export const trustCheck: Check = {
  name: 'trust',
  promise: 'rule 39: the trust question is waiting, never idle, and launch leaves it to a person',
  run: async (life) => {
    await life.launch(life.lab.trustArgs);
    const asked = await life.hears('waiting: trust', ({ status, detail }) => {
      return status === 'waiting' && detail === 'trust';
    });
    must(asked.composer !== 'empty', 'its composer was called empty');
    // Not a wait for luck: whoever would answer it by himself gets the time to do so.
    await delay(3000);
    const shown = await life.show();
    must(shown.status === 'waiting' && shown.detail === 'trust', `then ${shown.status}`);
    must(!life.events.some(isAtRest), 'it was called idle');
    must(life.mock.requests.length === 0, 'the model was asked something');
    return undefined;
  },
};
