import type { TurnNews } from '../providers/way-in.ts';
import type { Ledger } from '../store/ledger.ts';

/**
 * So far a CLI's records were behind the end of a turn on a busy machine (7 s, Qwen Code 0.24.4),
 * and less than the 10 s of rest after which whoever owes an answer is reminded of it. Only where
 * one is owed is it worth the wait.
 */
export const partsMs = 8000;

/**
 * What an agent owes is answered by what its own part of a turn said (rule 27): each part ends by
 * itself, in their order.
 */
export async function splitTurn(
  ledger: Ledger,
  child: string,
  end: TurnNews,
  read: (() => Promise<readonly TurnNews[] | undefined>) | undefined,
): Promise<readonly TurnNews[]> {
  if (!read) return [end];
  const debts = await ledger.read((tx) => tx.debts.listOwedBy(child));
  if (debts.length === 0) return [end];
  const parts = await read();
  const { background } = end;
  if (!parts) return [end];
  return background === undefined ? parts : parts.map((part) => ({ ...part, background }));
}
