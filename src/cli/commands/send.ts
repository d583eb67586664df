import type { Command } from 'commander';
import type { SendResult } from '../../protocol/messages.ts';
import { Fault } from '../../shared/fault.ts';
import { writeJson, writeOut } from '../output.ts';
import { readBody } from '../read-body.ts';
import { withClient } from '../run.ts';
import { example, jsonOption, parseSpanOption } from './options.ts';

interface SendOptions {
  readonly file?: string;
  readonly key?: string;
  readonly urgent?: true;
  readonly ttl?: number;
  readonly replyTo?: string;
  readonly from?: string;
  readonly json?: true;
}

export function addSendCommand(program: Command): void {
  const command = program
    .command('send <agent> [text...]')
    .description('send a message; it is on disk before this returns')
    .option('--file <file>', 'take the text from a file, or from standard input with -')
    .option('--key <key>', 'idempotency key: the same key sends once, however often it is run')
    .option('--urgent', 'may overtake, and goes in mid-turn where the agent can take it')
    .option('--ttl <span>', 'expire if still queued after this time (90s, 1h, 2d)', parseSpanOption)
    .option('--reply-to <message>', 'answer a message; that acks it')
    .option('--from <agent>', 'send as this agent (for the user alone)');
  jsonOption(command);
  example(
    command,
    'signalbox send lead "Split the checkout work"',
    'git diff | signalbox send reviewer --file - --key "review-$(git rev-parse HEAD)"',
  );
  command.action(async (agent: string, words: string[], options: SendOptions) => {
    if (words.length > 0 && options.file !== undefined) {
      throw new Fault('usage', 'Both a text and --file were given.', 'Give one of them.');
    }
    // Before the ledger is opened: who types into standard input may take an hour.
    const body = await readBody(words, options.file);
    await withClient(async (client) => {
      const result = await client.send({
        to: agent,
        body,
        ...(options.key === undefined ? {} : { key: options.key }),
        ...(options.urgent ? { urgent: true } : {}),
        ...(options.ttl === undefined ? {} : { ttlMs: options.ttl }),
        ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
        ...(options.from === undefined ? {} : { from: options.from }),
      });
      report(result, options.json === true);
    });
  });
}

function report(result: SendResult, json: boolean): void {
  const said = result.duplicate ? 'already accepted' : 'accepted';
  const line = `${result.id} ${said} for ${result.to.name} (${result.state})`;
  try {
    json ? writeJson(result) : writeOut(`${line}\n`);
  } catch (error) {
    // Whoever takes this for a send that failed, and repeats it, sends it twice.
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `${line}, but: ${error.message}`, 'Do not send it again.', {
      cause: error,
    });
  }
}
