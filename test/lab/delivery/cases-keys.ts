import { type Check, must } from '../life/check.ts';
import { type KeysRound, planRound, playKeys } from './keys-round.ts';
import { SeatedPerson } from './seated-person.ts';

/** Rounds, and how much later the person's keys begin in each, over 0 to 500 ms. */
const rounds = Number(process.env['SIGNALBOX_LAB_ROUNDS'] ?? 10);

/**
 * Rules 12 and 24: a person begins to type 0 to 500 ms after a send. In every second round they
 * press Enter as well, and what stands in the composer then is theirs to send.
 */
export const keysAfterSend: Check = {
  name: 'keys-after-send',
  promise: 'rules 12, 24: keys that begin 0 to 500 ms after a send are never sent by us',
  isLong: true,
  run: async (life) => {
    const person = await SeatedPerson.sit(life);
    const done: KeysRound[] = [];
    try {
      for (let n = 0; n < rounds; n++) {
        const { afterMs, isEntered } = planRound(n, rounds);
        const round = await playKeys(life, person, { afterMs, isEntered });
        done.push(round);
        process.stderr.write(`  ${Math.round(afterMs)} ms: ${JSON.stringify(round)}\n`);
      }
    } finally {
      await person.leaves();
    }
    const count = (isSo: (round: KeysRound) => boolean): number => done.filter(isSo).length;
    const mixed = count(({ mixedBy }) => mixedBy === 'us');
    must(mixed === 0, `${mixed} of ${rounds} were sent by us with what the person typed`);
    const missed = count(({ mixedBy, isTold, isNoted }) => Boolean(mixedBy) && !isTold && !isNoted);
    must(missed === 0, `${missed} of ${rounds} were sent by a person, and nobody says so`);
    return { rounds, 'mixed-by-person': count(({ mixedBy }) => mixedBy === 'person') };
  },
};
