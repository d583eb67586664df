import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { byHand } from '../../../bench/delivery/cli/by-hand.ts';
import { findEvents } from '../../../src/providers/copilot/transcript.ts';
import { asObject, asText, parseObject } from '../../../src/shared/json.ts';
import { cases } from '../cases/list.ts';
import { pause, settles } from '../delivery/cases-usual.ts';
import { createWord, Post } from '../delivery/post.ts';
import { copyProgram } from '../life/box.ts';
import { Life } from '../life/life.ts';
import { inClosedNetwork } from '../network.ts';

/**
 * What a busy Copilot CLI waits for between the end of an answer and the request that holds a
 * message: the mock's clock and that of events.jsonl, in milliseconds after the answer's last byte.
 * `--by-hand` leaves delivery out: the message is in its own queue long before.
 *
 *     node --import tsx test/lab/queues/copilot-steps.ts [--by-hand] [--rounds N]
 */
const { values } = parseArgs({
  options: {
    'by-hand': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
});

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  const { program, remove } = copyProgram();
  const life = await Life.open(cases.copilot, program);
  const hands = new byHand.copilot(life);
  try {
    await hands.prepare?.();
    await life.launch();
    await life.isReady(0);
    await life.ask('@@say hello');
    await settles(life);
    await hands.open();
    for (let n = 0; n < Number(values.rounds); n++) process.stdout.write(await take(life, hands));
  } finally {
    await hands.close();
    await life.close();
    remove();
  }
  return 0;
}

async function take(life: Life, hands: InstanceType<typeof byHand.copilot>): Promise<string> {
  const turn = await life.ask(`@@sleep 4 @@say slow ${createWord()}`);
  await pause(800);
  const word = createWord();
  if (values['by-hand']) await hands.wake(`${word} @@say ok`, () => false);
  else await new Post(life).send('@@say ok', [], word);
  const sentAt = Date.now();
  const request = await life.mock.waitFor(
    ({ isSide, body }) => !isSide && body.includes(word),
    60_000,
  );
  await settles(life);
  const { endedAt = Number.NaN } = turn.request;
  const { conversation = '' } = await life.show();
  const path = findEvents(life.home.env, conversation) ?? '';
  const steps = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => parseObject(line) ?? {})
    .map(({ type, timestamp, data }) => ({
      at: Date.parse(asText(timestamp) ?? '') - endedAt,
      what: `${asText(type)} ${asText(asObject(data)['hookType']) ?? ''}`.trim(),
    }))
    .filter(({ at }) => at >= -300 && at <= request.at - endedAt + 100)
    .map(({ at, what }) => `${`${at}`.padStart(8)}  ${what}`);
  const total = request.at - endedAt;
  return `sent ${sentAt - endedAt}, request ${total}\n${steps.join('\n')}\n`;
}
