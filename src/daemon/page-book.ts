import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { PageSession } from '../server/page/page-sessions.ts';
import { asArray, asObject, asText, parseObject } from '../shared/json.ts';

/** What the next daemon needs, so that an open page goes on. */
export interface KeptPage {
  /** 0: none yet. */
  readonly port: number;
  readonly sessions: readonly PageSession[];
}

const form = 1;

/**
 * The port and the sessions of the dashboard, in one file of the state folder, for its owner alone
 * like the user's own token beside it. One that is missing, damaged or of another version counts
 * for nothing: its windows sign in anew.
 */
export class PageBook {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): KeptPage {
    const kept = parseObject(this.#readText() ?? '');
    if (kept?.['form'] !== form) return { port: 0, sessions: [] };
    const port = Number(kept['port']);
    return {
      port: Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0,
      sessions: asArray(kept['sessions']).flatMap(readSession),
    };
  }

  /** Throws what the system says, such as that the disk is full. */
  write({ port, sessions }: KeptPage): void {
    const draft = `${this.#path}.new-${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ form, port, sessions })}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  #readText(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

function readSession(value: unknown): readonly PageSession[] {
  const { id, key, readOnly, since, usedAt } = asObject(value);
  const [name, secret] = [asText(id), asText(key)];
  if (!name || !secret || typeof readOnly !== 'boolean') return [];
  if (typeof since !== 'number' || typeof usedAt !== 'number') return [];
  return [{ id: name, key: secret, readOnly, since, usedAt }];
}
