import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../../support/wait-until.ts';
import { bigText } from '../../mock-llm/big-text.ts';
import type { LoggedRequest } from '../../mock-llm/request-log.ts';
import { type Check, must } from '../check.ts';
import { isAtRest, isProcessing, type Life, patienceMs } from '../life.ts';

/** Long enough to be seen at work and asked about on a machine that is busy itself. */
const slowPrompt = '@@sleep 6 @@say a slow answer';

export const turnChecks: readonly Check[] = [
  {
    name: 'processing',
    promise: 'during a slow answer it is processing, and never at rest before the answer ended',
    isShort: true,
    run: async (life) => {
      const turn = await life.ask(slowPrompt);
      await life.hears('processing', isProcessing, turn.from);
      const shown = await life.show();
      must(turn.request.outcome === undefined, 'the word came after the answer');
      must(isProcessing(shown), `status says ${shown.status} while the answer is awaited`);
      return undefined;
    },
  },
  {
    name: 'completed',
    promise: 'after the answer it is completed, with an empty composer',
    isShort: true,
    run: async (life) => {
      const request = await life.mock.waitFor(
        ({ isSide, lastUserText }) => !isSide && lastUserText.includes(slowPrompt),
      );
      const ended = await life.hears(
        'completed',
        ({ status, at }) => status === 'completed' && at >= request.at,
      );
      await life.hears('an empty composer', ({ composer }) => composer === 'empty', lastRest(life));
      await life.shows('completed', ({ status }) => status === 'completed');
      return { word: ended.at - (request.endedAt ?? ended.at) };
    },
  },
  {
    name: 'output',
    promise: 'B15: the last answer is exactly what the model said',
    run: async (life) => {
      await life.rests(await life.ask('@@sleep 1 @@say The first line.\\nThe second one.'));
      const { text, response, searched } = await life.lastAnswer();
      must(
        response === 'complete' && text === 'The first line.\nThe second one.',
        `${response} from ${searched.join(', ')}: ${JSON.stringify(text.slice(0, 200))}`,
      );
      return undefined;
    },
  },
  {
    name: 'permission',
    promise:
      'before a tool runs it waits for a permission; after a no it is completed, and nothing ran',
    isShort: true,
    run: async (life) => {
      const hasRun = (): boolean => existsSync(join(life.home.cwd, 'asked-for.txt'));
      const turn = await life.ask('@@tool touch asked-for.txt @@say after the tool');
      const asked = await life.hears('waiting', ({ status }) => status === 'waiting', turn.from);
      // The first word may come from a source that knows of the question before it is drawn.
      await waitUntil(
        'the question on the screen',
        () => life.current?.composer === 'hidden',
      ).catch(() =>
        must(false, `the composer is called ${life.current?.composer} under a question`),
      );
      const shown = await life.show();
      must(asked.detail === 'permission', `its detail is ${asked.detail}`);
      must(shown.status === 'waiting' && shown.detail === 'permission', `then ${shown.status}`);
      must(!hasRun(), 'the tool ran unasked');
      const from = life.events.length;
      await life.hands.press(life.lab.denyKeys);
      await life.hears('the end of the question', ({ status }) => status !== 'waiting', from);
      await life.hears('completed', ({ status }) => status === 'completed', from);
      must(!hasRun(), 'the tool ran after a no');
      await life.shows('completed', ({ status }) => status === 'completed');
      return undefined;
    },
  },
  {
    name: 'interrupt',
    promise: 'a turn that a person breaks off is over, and no error',
    run: async (life) => {
      const turn = await life.ask('@@stream 3000 words 20ms');
      await life.hears('processing', isProcessing, turn.from);
      await life.hands.shows(/word20\b/, patienceMs);
      const from = life.events.length;
      await breakOff(life, turn.request);
      await life.hears('completed', ({ status }) => status === 'completed', from);
      await life.shows('completed', ({ status }) => status === 'completed');
      await life.empty();
      return undefined;
    },
  },
];

/**
 * Pressed again as long as nothing comes of it: where two keys are wanted, they count as two only
 * within a moment.
 */
async function breakOff({ hands, lab }: Life, request: LoggedRequest): Promise<void> {
  for (let tries = 0; tries < 5 && request.outcome === undefined; tries++) {
    await hands.press(lab.interruptKeys);
    await waitUntil('the end of the request', () => request.outcome, 4000).catch(() => undefined);
  }
  must(request.outcome === 'client-closed', `the keys did not break it off: ${request.outcome}`);
}

/**
 * The last of a conversation: with so much in its context a CLI may begin the next turn by
 * compacting it.
 */
export const bigCheck: Check = {
  name: 'big',
  promise: 'B15: an answer of 1 MB comes out whole',
  isLong: true,
  run: async (life) => {
    const turn = await life.ask(`@@big ${bigBytes}`);
    const startedAt = performance.now();
    await life.rests(turn, 4 * patienceMs);
    const took = performance.now() - startedAt;
    const { text, response } = await life.lastAnswer();
    const said = [...bigText(bigBytes)].join('');
    // Its last line ends within itself, so that nobody has anything to trim.
    must(response === 'complete', `it is ${response}`);
    must(text === said, `${text.length} characters that are not the ${said.length} said`);
    return { big: took };
  },
};

/** No multiple of a line. */
const bigBytes = 1_000_010;

function lastRest(life: Life): number {
  return life.events.findLastIndex(isAtRest);
}
