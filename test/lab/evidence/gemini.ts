import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { provider } from '../../../src/providers/gemini/provider.ts';
import { breakCases } from './gemini-breaks.ts';
import { endCases } from './gemini-ends.ts';
import { neighbourCases } from './gemini-neighbours.ts';
import { turnCases } from './gemini-turns.ts';
import { cut, type Json, runCli } from './stage.ts';

/**
 * Drives a real Gemini CLI through the states of a message's life, and compares what the evidence
 * says with what the mock really got. Prints a table; stores the conversations as recordings for
 * the unit test.
 *
 *     node --import tsx test/lab/evidence/gemini.ts [case …]
 */
await runCli({
  cli: 'gemini',
  provider,
  cases: [...turnCases, ...endCases, ...breakCases, ...neighbourCases],
  prepare: ({ home }) => mkdirSync(join(home, '.gemini', 'tmp'), { recursive: true }),
  findRecords: ({ home }) => {
    const tmp = join(home.home, '.gemini', 'tmp');
    return readdirSync(tmp)
      .flatMap((project) => {
        const chats = join(tmp, project, 'chats');
        try {
          return readdirSync(chats).map((name) => join(chats, name));
        } catch {
          return [];
        }
      })
      .filter((path) => path.endsWith('.jsonl'))
      .toSorted();
  },
  shorten: (record) => cut(record) as Json,
});
