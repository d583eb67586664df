import type { Attempt, AttemptOutcome, Claim, NewClaim } from '../../messages/claim.ts';
import type {
  CarriedState,
  ClaimNote,
  ClaimStore,
  Entered,
  Handed,
} from '../../messages/claim-store.ts';
import type { Message } from '../../messages/message.ts';
import type { Connection } from './connection.ts';
import { deleteEmptyClaim } from './prune.ts';
import {
  type AttemptRow,
  type ClaimRow,
  type MessageRow,
  selectMessage,
  toAttempt,
  toClaim,
  toMessage,
} from './rows.ts';

export class SqliteClaimStore implements ClaimStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async open(claim: NewClaim): Promise<Claim | undefined> {
    const { holder, isFurther: _, ...rest } = claim;
    const { changes, lastInsertRowid } = this.#db.statement(insertClaim).run({
      ...rest,
      ...holder,
      provable: claim.provable ? 1 : 0,
      behindTurn: claim.isBehindTurn ? (claim.isFurther ? 2 : 1) : 0,
      step: claim.step ?? null,
    });
    const token = Number(lastInsertRowid);
    return changes === 1 ? { ...claim, token, isSubmitted: false } : undefined;
  }

  async find(token: number): Promise<Claim | undefined> {
    const row = this.#db.statement(selectClaim).get(token) as ClaimRow | undefined;
    return row && toClaim(row);
  }

  async findByMark(mark: string): Promise<Claim | undefined> {
    const row = this.#db.statement(selectByMark).get(mark) as ClaimRow | undefined;
    return row && toClaim(row);
  }

  async listLive(recipient: string): Promise<readonly Claim[]> {
    return (this.#db.statement(selectLive).all(recipient) as ClaimRow[]).map(toClaim);
  }

  async listUnfinished(recipient: string): Promise<readonly Claim[]> {
    return (this.#db.statement(selectUnfinished).all({ recipient }) as ClaimRow[]).map(toClaim);
  }

  async listUnproven(recipient: string): Promise<readonly Claim[]> {
    return (this.#db.statement(selectUnproven).all({ recipient }) as ClaimRow[]).map(toClaim);
  }

  async note(token: number, note: ClaimNote): Promise<void> {
    const { step = null, receipt = null, isSubmitted, isAltered, provable } = note;
    const submitted = isSubmitted ? (isAltered ? 2 : 1) : 0;
    const flags = { submitted, provable: provable === false ? 0 : null };
    this.#db.statement(updateNote).run({ token, step, receipt, ...flags });
  }

  async endIfEmpty(token: number, at: number): Promise<void> {
    this.#db.statement(updateEnded).run({ token, at });
  }

  async listCarried(claim: Claim, state: CarriedState): Promise<readonly Message[]> {
    const sql = selectCarried[state];
    return (this.#db.statement(sql).all({ token: claim.token }) as MessageRow[]).map(toMessage);
  }

  async addAttempts(messageIds: readonly string[], claim: Claim): Promise<void> {
    const { token, recipient, epoch } = claim;
    for (const id of messageIds) {
      this.#db.statement(insertAttempt).run({ id, token, recipient, epoch });
    }
  }

  async setOutcome(ids: readonly string[], token: number, outcome: AttemptOutcome): Promise<void> {
    for (const id of ids) this.#db.statement(updateOutcome).run({ id, token, outcome });
  }

  async listAttempts(messageId: string): Promise<readonly Attempt[]> {
    return (this.#db.statement(selectAttempts).all(messageId) as AttemptRow[]).map(toAttempt);
  }

  async listAttemptsOf(token: number): Promise<readonly Attempt[]> {
    return (this.#db.statement(selectAttemptsOf).all(token) as AttemptRow[]).map(toAttempt);
  }

  async setPointers(ids: readonly string[], token: number): Promise<void> {
    for (const id of ids) this.#db.statement(updatePointer).run({ id, token });
  }

  async setHandedOut(id: string, token: number, handed: Handed | undefined): Promise<void> {
    const { at = null, line = null } = handed ?? {};
    this.#db.statement(updateHandedOut).run({ id, token, at, line });
  }

  async fold(id: string, token: number, into: number): Promise<void> {
    this.#db.statement(updateFolded).run({ id, token, into });
    this.#db.statement(deleteAttempt).run({ id, token });
    this.#db.statement(deleteEmptyClaim).run({ token });
  }

  async listByHand(recipient: string): Promise<readonly Attempt[]> {
    return (this.#db.statement(selectByHand).all({ recipient }) as AttemptRow[]).map(toAttempt);
  }

  async listEntered(recipient: string, epoch: number): Promise<readonly Entered[]> {
    const rows = this.#db.statement(selectEntered).all({ recipient, epoch }) as EnteredRow[];
    return rows.map((row) => ({ ...row, isIn: row.isIn === 1 }));
  }

  async setTurn(
    entered: readonly Pick<Entered, 'messageId' | 'token'>[],
    turn: string,
  ): Promise<void> {
    for (const { messageId: id, token } of entered) {
      this.#db.statement(updateTurn).run({ id, token, turn });
    }
  }
}

interface EnteredRow extends Omit<Entered, 'isIn'> {
  readonly isIn: number;
}

// `or ignore` lets the unique index on live injecting claims be the judge: no row means that one
// lives already.
const insertClaim = `
  insert or ignore into claims (recipient, route, epoch, mark, provable, host, boot, pid_space, pid, process_started, at,
    taken_at_ms, lease_ms, behind_turn, step, others)
  values (@recipient, @route, @epoch, @mark, @provable, @host, @boot, @pidSpace, @pid, @startedAt, @at, @takenAtMs,
    @leaseMs, @behindTurn, @step, @others)`;
const selectClaim = 'select * from claims where token = ?';
const selectByMark = 'select * from claims where mark = ?';
const selectLive = 'select * from claims where recipient = ? and ended_at is null order by token';
const selectUnfinished = `
  select * from claims where recipient = @recipient and ended_at is null
  union
  select * from claims where route = 'pull' and token in
    (select token from messages where recipient = @recipient and state = 'injected' and is_end = 0)
  order by token`;
const updateEnded = `
  update claims set ended_at = @at where token = @token and ended_at is null and not exists (
    select 1 from messages
    where seq in (select message from attempts where attempts.token = @token)
      and state = 'claimed' and messages.token = @token)`;
const selectUnproven = `
  select * from claims where route <> 'pull' and token in (
    select token from messages where recipient = @recipient and state = 'injected' and is_end = 0
    union
    select token from messages where recipient = @recipient and state = 'uncertain')
  order by token`;
const updateNote = `
  update claims set step = coalesce(@step, step), receipt = coalesce(@receipt, receipt),
    submitted = max(@submitted, submitted), provable = coalesce(@provable, provable)
  where token = @token`;
/** Spelled out, because a partial index serves only a query that spells its terms. */
const selectCarried = {
  claimed: carried('claimed'),
  injected: carried('injected'),
  uncertain: carried('uncertain'),
} as const;

function carried(state: CarriedState): string {
  return `${selectMessage} where seq in (select message from attempts where attempts.token = @token)
    and state = '${state}' and token = @token order by seq`;
}

const updatePointer = `
  update attempts set pointer = 1
  where message = (select seq from messages where id = @id) and token = @token`;
const updateHandedOut = `
  update attempts set handed_out_at = @at, line = @line
  where message = (select seq from messages where id = @id) and token = @token`;
const updateFolded = `
  update attempts set folded = folded + 1 +
    (select folded from attempts as old where old.message = attempts.message and old.token = @token)
  where message = (select seq from messages where id = @id) and token = @into`;
const deleteAttempt = `
  delete from attempts where message = (select seq from messages where id = @id) and token = @token`;
// What the CLI may still keep behind another turn has entered only once the model has read it; what
// a command of the agent's took, once it is printed to its end.
const selectEntered = `
  select messages.id as messageId, attempts.token, claims.at, claims.mark, claims.route,
    (attempts.outcome in ('seen', 'acked') or (attempts.outcome = 'injected' and claims.behind_turn = 0
      and (claims.route <> 'pull' or attempts.handed_out_at is not null))) as isIn
  from attempts join claims on claims.token = attempts.token join messages on messages.seq = attempts.message
  where attempts.recipient = @recipient and attempts.epoch = @epoch and attempts.turn is null
    and attempts.outcome in ('claimed', 'injected', 'uncertain', 'seen', 'acked')
  order by attempts.message`;
const updateTurn = `
  update attempts set turn = @turn
  where message = (select seq from messages where id = @id) and token = @token`;
const insertAttempt = `
  insert into attempts (message, token, outcome, recipient, epoch)
  select seq, @token, 'claimed', @recipient, @epoch from messages where id = @id`;
const updateOutcome = `
  update attempts set outcome = @outcome
  where message = (select seq from messages where id = @id) and token = @token`;
const attemptColumns = `
  select messages.id as messageId, attempts.token, claims.at, claims.route, claims.epoch, attempts.outcome,
    attempts.pointer, attempts.handed_out_at, attempts.turn, attempts.line, attempts.folded
  from attempts join claims on claims.token = attempts.token join messages on messages.seq = attempts.message`;
const selectByHand = `${attemptColumns}
  where messages.recipient = @recipient and messages.state = 'injected' and messages.is_end = 0
    and attempts.token = messages.token
    and (claims.route = 'pull' or attempts.pointer = 1)
  order by messages.seq`;
const selectAttempts = `${attemptColumns} where messages.id = ? order by attempts.token`;
const selectAttemptsOf = `${attemptColumns} where attempts.token = ? order by attempts.message`;
