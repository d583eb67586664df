import { type Command, Option } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { Client } from '../../client/client.ts';
import type { SendResult } from '../../protocol/messages.ts';
import type { SentDocument } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
import { formatSpan } from '../../shared/units.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { readBody } from '../read-body.ts';
import { reportUnwoken } from '../report-unwoken.ts';
import { reportVersion } from '../report-version.ts';
import { withClient } from '../run.ts';
import { tellQuestionsDuring } from '../tell-questions.ts';
import { example, jsonOption, parseSpanOption } from './options.ts';

type Awaitable = Parameters<Client['waitFor']>[1];

interface SendOptions {
  readonly file?: string;
  readonly key?: string;
  readonly urgent?: true;
  readonly notice?: true;
  readonly ttl?: number;
  readonly replyTo?: string;
  readonly from?: string;
  readonly wait?: Awaitable;
  readonly timeout?: number;
  readonly json?: true;
}

/** Of `--wait` without `--timeout`. */
const usualWaitMs = 60_000;

export function addSendCommand(program: Command): void {
  const command = program
    .command('send <agent> [text...]')
    .description('send a message; it is on disk before this returns')
    .option('--file <file>', 'take the text from a file, or from standard input with -')
    .option('--key <key>', 'idempotency key: signalbox sends a message with the same key only once')
    .option('--urgent', 'overtake other messages, and go in mid-turn where the agent can take it')
    .option('--notice', 'send it as a notice with your name, not as your own prompt')
    .option('--ttl <span>', 'expire if still queued after this time (90s, 1h, 2d)', parseSpanOption)
    .option('--reply-to <message>', 'answer this message (its number or id), and so ack it')
    .addOption(
      new Option(
        '--wait <state>',
        'wait until the message has this state, or can no longer get it',
      ).choices(['injected', 'seen', 'acked']),
    )
    .option('--timeout <span>', 'how long --wait waits; default: 60s', parseSpanOption)
    .option('--from <agent>', 'send as this agent (for the user alone)');
  jsonOption(command);
  example(
    command,
    'signalbox send lead "Split the checkout work"',
    'git diff | signalbox send reviewer --file - --key "review-$(git rev-parse HEAD)"',
    'signalbox send lead "Stop, the API changed" --urgent --wait seen --timeout 5m',
  );
  command.action(async (agent: string, words: string[], options: SendOptions) => {
    if (words.length > 0 && options.file !== undefined) {
      throw new Fault('usage', 'You gave both a text and --file.', 'Give one of them.');
    }
    if (options.timeout !== undefined && options.wait === undefined) {
      throw new Fault('usage', 'You gave --timeout without --wait.', 'Add --wait with a state.');
    }
    // Before the ledger is opened: who types into standard input may take an hour.
    const body = await readBody(words, options.file);
    await withClient(async (client) => {
      const result = await client.send({
        to: agent,
        body,
        ...(options.key === undefined ? {} : { key: options.key }),
        ...(options.urgent ? { urgent: true } : {}),
        ...(options.notice ? { notice: true } : {}),
        ...(options.ttl === undefined ? {} : { ttlMs: options.ttl }),
        ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
        ...(options.from === undefined ? {} : { from: options.from }),
      });
      const { wait, timeout = usualWaitMs, json } = options;
      if (wait === undefined) return report(result, json === true);
      const how = { state: wait, timeoutMs: timeout, json: json === true };
      return reportWait(client, result, how);
    });
  });
}

interface Wait {
  readonly state: Awaitable;
  readonly timeoutMs: number;
  readonly json: boolean;
}

/**
 * One document, and the exit code of the wait: who waits in vain must still learn the id of what
 * was accepted.
 */
async function reportWait(client: Client, sent: SendResult, wait: Wait): Promise<void> {
  if (!wait.json) report(sent, false);
  else reportUnwoken(sent.unwoken, 'The message');
  let fault: Fault | undefined;
  try {
    const isThere = await awaitState(client, sent, wait);
    if (!isThere) fault = tookTooLong(sent.short, wait);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = error;
  }
  const { state, standing } = await client.show(sent.id);
  if (wait.json) {
    const error = fault && { code: fault.code, message: fault.message, next: fault.next };
    const { unwoken, ...known } = sent;
    const waits = state === 'queued' && unwoken !== undefined ? { unwoken } : {};
    writeJson<SentDocument>({ ...known, state, standing, ...waits, ...(error ? { error } : {}) });
  } else if (!fault) {
    const as = standing === 'prompt' ? 'a prompt' : 'a notice';
    writeOut(`${inLine(sent.short)} is ${state}, as ${as}\n`);
  }
  if (fault) throw fault;
}

async function awaitState(
  client: Client,
  { id, short, to }: SendResult,
  { state, timeoutMs, json }: Wait,
): Promise<boolean> {
  const agent = await findRunning(client, to.id);
  const work = client.waitFor(id, state, timeoutMs);
  if (agent === undefined) return work;
  const what = `waiting until ${short} is ${state}`;
  const goesOn = () =>
    `${short} stays accepted, and is delivered all the same. \`signalbox cancel ${short}\` takes it back while nobody has read it; \`signalbox explain ${short}\` says where it is.`;
  return tellQuestionsDuring(client, { agent, what, goesOn, json }, work);
}

/** Only an agent with a terminal of ours asks a person there. */
async function findRunning(client: Client, to: string): Promise<string | undefined> {
  const agents = await client.listAgents(undefined, { startsNothing: true });
  const found = agents.find(({ id }) => id === to);
  return found && found.backend !== 'none' && found.status !== 'exited' ? to : undefined;
}

function tookTooLong(id: string, { state, timeoutMs }: Wait): Fault {
  return new Fault(
    'timed-out',
    `${id} was accepted, and was not ${state} within ${formatSpan(timeoutMs)}.`,
    `Do not send it again; see \`signalbox explain ${id}\`.`,
  );
}

function report(result: SendResult, json: boolean): void {
  const said = result.duplicate ? 'already accepted' : 'accepted';
  const line = `${inLine(result.short)} ${said} (${result.state})`;
  try {
    json ? writeJson<SendResult>(result) : writeOut(`${line}\n`);
  } catch (error) {
    // Whoever takes this for a send that failed, and repeats it, sends it twice.
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `${line}, but: ${error.message}`, 'Do not send it again.', {
      cause: error,
    });
  }
  if (json) return;
  if (result.broughtBack && result.unwoken === undefined) {
    const name = inLine(callName(result.to));
    writeError(`signalbox: ${name} had ended, and comes back with its conversation`);
  }
  reportUnwoken(result.unwoken, 'The message');
  reportVersion(result);
}
