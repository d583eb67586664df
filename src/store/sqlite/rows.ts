import type { Epoch } from '../../agents/epoch.ts';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import type { ActStep, Attempt, AttemptOutcome, Claim, Route } from '../../messages/claim.ts';
import type {
  DeadReason,
  Message,
  MessageKind,
  MessageState,
  TurnOutcome,
} from '../../messages/message.ts';
import type { Standing } from '../../messages/standing.ts';
import { readTexts } from './json-columns.ts';
import { readColumn } from './read-column.ts';

/**
 * Rows as SQLite gives them, and what they mean. Columns are listed in the migrations. A JSON
 * column that cannot be read takes the most careful value that there is, and its row says so.
 */

export interface MessageRow {
  seq: number;
  id: string;
  number: number | null;
  kind: MessageKind;
  sender: string;
  recipient: string;
  state: MessageState;
  truncated: number;
  urgent: number;
  created_at: number;
  expires_at: number | null;
  reply_to: string | null;
  answers_task: number;
  owes: string | null;
  reports: string | null;
  quiet: number;
  script: number;
  prompt: number;
  carried_as: Standing | null;
  key: string | null;
  attempts: number;
  not_landed: number;
  reoffered: number;
  may_repeat: number;
  taken_back: number;
  in_context: number | null;
  outcome: TurnOutcome | null;
  reason: DeadReason | null;
  turn: string | null;
  child: string | null;
  token: number | null;
  discarded_at: number | null;
  body: string;
  /** From the table of long bodies; then `body` is empty. */
  long_body: string | null;
}

export const selectMessage =
  'select messages.*, bodies.body as long_body from messages left join bodies on bodies.message = messages.seq';

export function toMessage(row: MessageRow): Message {
  const texts = (name: 'reply_to' | 'reports' | 'owes'): readonly string[] | undefined =>
    row[name] === null
      ? undefined
      : readColumn({ column: `messages.${name}`, row: row.id, text: row[name], read: readTexts });
  const reports = texts('reports');
  const owes = texts('owes');
  return {
    id: row.id,
    seq: row.seq,
    kind: row.kind,
    from: row.sender,
    to: row.recipient,
    state: row.state,
    body: row.long_body ?? row.body,
    truncated: row.truncated === 1,
    urgent: row.urgent === 1,
    createdAt: row.created_at,
    // Without it the message is delivered all the same: its words are whole.
    replyTo: texts('reply_to') ?? [],
    answersTask: row.answers_task === 1,
    isQuiet: row.quiet === 1,
    isScript: row.script === 1,
    isPrompt: row.prompt === 1,
    attempts: row.attempts,
    notLanded: row.not_landed,
    reoffered: row.reoffered === 1,
    mayRepeat: row.may_repeat === 1,
    wasTakenBack: row.taken_back === 1,
    ...(row.number === null ? {} : { number: row.number }),
    ...(reports === undefined ? {} : { reports }),
    ...(owes === undefined ? {} : { owes }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.key === null ? {} : { key: row.key }),
    ...(row.in_context === null ? {} : { inContext: row.in_context === 1 }),
    ...(row.carried_as === null ? {} : { carriedAs: row.carried_as }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.turn === null ? {} : { turn: row.turn }),
    ...(row.child === null ? {} : { child: row.child }),
    ...(row.token === null ? {} : { token: row.token }),
    ...(row.discarded_at === null ? {} : { discardedAt: row.discarded_at }),
  };
}

export interface ClaimRow {
  token: number;
  recipient: string;
  route: Route;
  epoch: number;
  mark: string;
  provable: number;
  host: string;
  boot: string;
  pid_space: string;
  pid: number;
  process_started: string;
  at: number;
  taken_at_ms: number;
  lease_ms: number;
  ended_at: number | null;
  step: ActStep | null;
  receipt: string | null;
  /** 2: not word for word. */
  submitted: number;
  /** 2: behind a text that is still unread, too. */
  behind_turn: number;
  others: number;
}

export function toClaim(row: ClaimRow): Claim {
  return {
    token: row.token,
    recipient: row.recipient,
    route: row.route,
    epoch: row.epoch,
    mark: row.mark,
    provable: row.provable === 1,
    holder: {
      host: row.host,
      boot: row.boot,
      pidSpace: row.pid_space,
      pid: row.pid,
      startedAt: row.process_started,
    },
    at: row.at,
    takenAtMs: row.taken_at_ms,
    leaseMs: row.lease_ms,
    isBehindTurn: row.behind_turn > 0,
    ...(row.behind_turn === 2 ? { isFurther: true } : {}),
    others: row.others,
    isSubmitted: row.submitted > 0,
    ...(row.submitted === 2 ? { isAltered: true } : {}),
    ...(row.step === null ? {} : { step: row.step }),
    ...(row.receipt === null ? {} : { receipt: row.receipt }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}

export interface AttemptRow {
  messageId: string;
  token: number;
  at: number;
  route: Route;
  epoch: number;
  outcome: AttemptOutcome;
  pointer: number;
  handed_out_at: number | null;
  turn: string | null;
  line: string | null;
  folded: number;
}

export function toAttempt({ pointer, handed_out_at, turn, line, ...row }: AttemptRow): Attempt {
  return {
    ...row,
    isPointer: pointer === 1,
    ...(handed_out_at === null ? {} : { handedOutAt: handed_out_at }),
    ...(turn === null ? {} : { turn }),
    ...(line === null ? {} : { line }),
  };
}

export interface EpochRow {
  agent: string;
  epoch: number;
  backend: string;
  provider: string;
  provider_version: string | null;
  terminal: string | null;
  argv: string;
  extra_args: string;
  model: string | null;
  conversation: string | null;
  conversation_since: number | null;
  token_hash: string;
  tools_port: number | null;
  tools_lost_at: number | null;
  started_at: number;
  ended_at: number | null;
  exit_code: number | null;
  exit_signal: string | null;
  end_cause: string | null;
  umask: number | null;
}

export function toEpoch(row: EpochRow): Epoch {
  const of = `${row.agent}, epoch ${row.epoch}`;
  const texts = (name: 'argv' | 'extra_args'): readonly string[] | undefined =>
    readColumn({ column: `epochs.${name}`, row: of, text: row[name], read: readTexts });
  const argv = texts('argv');
  const extraArgs = texts('extra_args');
  const column = { column: 'epochs.terminal', row: of, text: row.terminal };
  const hasTerminal = readColumn({ ...column, read: readTerminal }) !== undefined;
  const damaged = [
    ...(argv ? [] : ['epochs.argv']),
    ...(extraArgs ? [] : ['epochs.extra_args']),
    ...(row.terminal !== null && !hasTerminal ? ['epochs.terminal'] : []),
  ];
  return {
    agent: row.agent,
    epoch: row.epoch,
    backend: row.backend,
    provider: row.provider,
    argv: argv ?? [],
    extraArgs: extraArgs ?? [],
    tokenHash: row.token_hash,
    startedAt: row.started_at,
    ...(row.provider_version === null ? {} : { providerVersion: row.provider_version }),
    ...(row.terminal === null || !hasTerminal ? {} : { terminal: row.terminal }),
    ...(damaged.length === 0 ? {} : { damaged }),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.umask === null ? {} : { umask: row.umask }),
    ...(row.conversation === null ? {} : { conversation: row.conversation }),
    ...(row.conversation_since === null ? {} : { conversationSince: row.conversation_since }),
    ...(row.tools_port === null ? {} : { toolsPort: row.tools_port }),
    ...(row.tools_lost_at === null ? {} : { toolsLostAt: row.tools_lost_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.exit_code === null ? {} : { exitCode: row.exit_code }),
    ...(row.exit_signal === null ? {} : { exitSignal: row.exit_signal }),
    ...(row.end_cause === null ? {} : { endCause: row.end_cause }),
  };
}
