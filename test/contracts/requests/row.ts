import type { Actor, Answer, Stage } from './stage.ts';

/** What a caller may expect: a result, or a fault of this code. A stranger always gets a fault. */
type Expected = 'done' | string;

/** One wish, by each way that offers it. `read` keeps what all of them tell. */
export interface Row {
  /** The file in src/requests. */
  readonly verb: string;
  readonly wish: string;
  readonly command?: Ask;
  readonly http?: Ask;
  /** Tools are for agents alone. */
  readonly tool?: Ask;
  readonly expected: Readonly<Record<Exclude<Actor, 'stranger'>, Expected>>;
  // biome-ignore lint/suspicious/noExplicitAny: documents of three shapes, of which a few fields are the same
  readonly read?: (result: any, stage: Stage) => unknown;
}

export type Ask = (stage: Stage, actor: Actor) => Promise<Answer>;

export const everybody = { user: 'done', script: 'done', agent: 'done' } as const;
export const nobody = (code: string) => ({ user: code, script: code, agent: code }) as const;
export const userAlone = { user: 'done', script: 'done', agent: 'not-allowed' } as const;
