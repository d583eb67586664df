import type { Attempt, AttemptOutcome, Claim, NewClaim } from '../../messages/claim.ts';
import type { ClaimStore } from '../../messages/claim-store.ts';
import type { Message } from '../../messages/message.ts';
import type { Connection } from './connection.ts';
import { type ClaimRow, type MessageRow, selectMessage, toClaim, toMessage } from './rows.ts';

export class SqliteClaimStore implements ClaimStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async open(claim: NewClaim): Promise<Claim | undefined> {
    const { holder, ...rest } = claim;
    const { changes, lastInsertRowid } = this.#db.statement(insertClaim).run({
      ...rest,
      ...holder,
      provable: claim.provable ? 1 : 0,
    });
    return changes === 1 ? { ...claim, token: Number(lastInsertRowid) } : undefined;
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

  async endIfEmpty(token: number, at: number): Promise<void> {
    this.#db.statement(updateEnded).run({ token, at });
  }

  async listCarried(claim: Claim, state: 'claimed' | 'injected'): Promise<readonly Message[]> {
    const sql = state === 'claimed' ? selectClaimed : selectInjected;
    const { recipient, token } = claim;
    return (this.#db.statement(sql).all({ recipient, token }) as MessageRow[]).map(toMessage);
  }

  async addAttempts(messageIds: readonly string[], claim: Claim): Promise<void> {
    for (const id of messageIds) this.#db.statement(insertAttempt).run({ id, token: claim.token });
  }

  async setOutcome(ids: readonly string[], token: number, outcome: AttemptOutcome): Promise<void> {
    for (const id of ids) this.#db.statement(updateOutcome).run({ id, token, outcome });
  }

  async listAttempts(messageId: string): Promise<readonly Attempt[]> {
    return this.#db.statement(selectAttempts).all(messageId) as Attempt[];
  }

  async listAttemptsOf(token: number): Promise<readonly Attempt[]> {
    return this.#db.statement(selectAttemptsOf).all(token) as Attempt[];
  }
}

// `or ignore` lets the unique index on live injecting claims be the judge: no row means that one lives already.
const insertClaim = `
  insert or ignore into claims (recipient, route, epoch, mark, provable, host, boot, pid_space, pid, process_started, at,
    taken_at_ms, lease_ms)
  values (@recipient, @route, @epoch, @mark, @provable, @host, @boot, @pidSpace, @pid, @startedAt, @at, @takenAtMs,
    @leaseMs)`;
const selectClaim = 'select * from claims where token = ?';
const selectByMark = 'select * from claims where mark = ?';
const selectLive = 'select * from claims where recipient = ? and ended_at is null order by token';
const selectUnfinished = `
  select * from claims where recipient = @recipient and ended_at is null
  union
  select * from claims where route = 'pull' and token in
    (select token from messages where recipient = @recipient and state = 'injected')
  order by token`;
const updateEnded = `
  update claims set ended_at = @at where token = @token and ended_at is null and not exists (
    select 1 from messages
    where recipient = claims.recipient and state = 'claimed' and messages.token = @token)`;
const selectClaimed = `
  ${selectMessage} where recipient = @recipient and state = 'claimed' and token = @token order by seq`;
const selectInjected = `
  ${selectMessage} where recipient = @recipient and state = 'injected' and token = @token order by seq`;
const insertAttempt = `
  insert into attempts (message, token, outcome)
  select seq, @token, 'claimed' from messages where id = @id`;
const updateOutcome = `
  update attempts set outcome = @outcome
  where message = (select seq from messages where id = @id) and token = @token`;
const attemptColumns = `
  select messages.id as messageId, attempts.token, claims.at, claims.route, claims.epoch, attempts.outcome
  from attempts join claims on claims.token = attempts.token join messages on messages.seq = attempts.message`;
const selectAttempts = `${attemptColumns} where messages.id = ? order by attempts.token`;
const selectAttemptsOf = `${attemptColumns} where attempts.token = ? order by attempts.message`;
