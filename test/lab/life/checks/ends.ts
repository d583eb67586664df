import { waitUntil } from '../../../support/wait-until.ts';
import { isAlive } from '../../processes.ts';
import { type Check, must } from '../check.ts';
import { isProcessing, patienceMs } from '../life.ts';
import { bigCheck } from './turns.ts';

/** Nothing else says it: what a resumed conversation must still know. */
const word = 'vermilion-heron';

export const endChecks: readonly Check[] = [
  {
    name: 'error',
    promise: 'a refused turn is an error until the next one starts',
    run: async (life) => {
      const { detail, withinMs, after } = life.lab.failure;
      const turn = await life.ask('@@fail 401');
      // Why it failed may be known a moment later than that it did.
      await life.hears(
        `error: ${detail}`,
        (heard) => heard.status === 'error' && detail.test(heard.detail ?? ''),
        turn.from,
        withinMs + patienceMs,
      );
      await life.shows('error', ({ status }) => status === 'error');
      for (const command of after) {
        await life.hands.submit(command);
        await life.empty();
      }
      const next = await life.ask('@@sleep 2 @@say well again');
      await life.hears('processing', isProcessing, next.from);
      must((await life.rests(next)).status === 'completed', 'the turn after it did not complete');
      return undefined;
    },
  },
  {
    name: 'adopted',
    promise: 'kill -9 of the daemon in a turn: up finds the agent again, untouched, and its turn',
    isShort: true,
    run: async (life) => {
      const turn = await life.ask('@@sleep 20 @@say survived');
      await life.hears('processing', isProcessing, turn.from);
      const root = await life.rootProcess();
      const killed = life.box.daemon.pid;
      await life.box.killDaemon();
      const from = life.events.length;
      await life.box.up();
      must(life.box.daemon.pid !== killed, 'no new daemon');
      const shown = await life.show();
      must(turn.request.outcome === undefined, 'the turn ended before it could be found again');
      must(['processing', 'starting'].includes(shown.status), `found as ${shown.status}`);
      await life.hears('processing', isProcessing, from);
      must(shown.epoch === life.agent.epoch, `its epoch is ${shown.epoch}`);
      const now = await life.rootProcess();
      must(now.pid === root.pid && now.startedAt === root.startedAt, 'it is another process');
      const ended = await life.rests({ request: turn.request, from });
      must(ended.status === 'completed', `it ended as ${ended.status}`);
      must(turn.request.outcome === 'finished', `its request was ${turn.request.outcome}`);
      const { text } = await life.lastAnswer();
      must(text === 'survived', `its answer is ${JSON.stringify(text.slice(0, 80))}`);
      return { again: ended.at - (turn.request.endedAt ?? ended.at) };
    },
  },
  {
    name: 'exited',
    promise: 'its own command ends it: exited, with its code, and nothing of it is left',
    isShort: true,
    run: async (life) => {
      // For the one who comes after: what a resumed conversation must know.
      await life.rests(await life.ask(`The word is ${word}. @@sleep 1 @@say noted`));
      const family = life.family(await life.rootProcess());
      must(family.length > 0, 'there was no process to end');
      const from = life.events.length;
      await life.hands.submit(life.lab.exit);
      await life.hears('exited', ({ status }) => status === 'exited', from);
      const shown = await life.show();
      must(shown.status === 'exited', `status says ${shown.status}`);
      must(shown.exitCode === 0, `its exit code is ${shown.exitCode ?? shown.exitSignal}`);
      await waitUntil('the end of its processes', () => !family.some(isAlive), patienceMs);
      return undefined;
    },
  },
  {
    name: 'resumed',
    promise: 'rule 37: a restart goes on with the conversation',
    run: async (life) => {
      const from = life.events.length;
      await life.restart();
      must(life.agent.epoch > 1, `its epoch is ${life.agent.epoch}`);
      await life.isReady(from);
      const turn = await life.ask('@@sleep 1 @@say I am back');
      must(turn.request.body.includes(word), 'the model did not get what was said before');
      must((await life.rests(turn)).status === 'completed', 'its first turn did not complete');
      return undefined;
    },
  },
  bigCheck,
  {
    name: 'stopped',
    promise: 'stop ends every process of it, and says so',
    run: async (life) => {
      const family = life.family(await life.rootProcess());
      await life.box.ask(['stop', 'lab']);
      const left = [...family.filter(isAlive), ...life.family()];
      must(left.length === 0, `left: ${left.map(({ pid, command }) => `${pid} ${command}`)}`);
      const shown = await life.show();
      must(shown.status === 'exited', `status says ${shown.status}`);
      must(family.length > 0, 'there was no process to end');
      return undefined;
    },
  },
];
