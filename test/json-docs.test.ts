import { readFileSync } from 'node:fs';
import { z } from '@hono/zod-openapi';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/cli/program.ts';
import { listFields } from './support/describe-schema.ts';
import { writeJsonDocs } from './support/json-docs.ts';
import { findMisprint } from './support/misprint.ts';
import { printedDocuments } from './support/printed-documents.ts';

describe('docs/json.md', () => {
  test('is what `npm run docs:json` writes', () => {
    expect(readFileSync('docs/json.md', 'utf8')).toBe(writeJsonDocs());
  });

  test('has a section for every command that takes --json', () => {
    // What it prints is MCP.
    const commands = listJsonCommands(createProgram([]), '').filter((path) => path !== 'mcp');
    expect(commands.toSorted()).toEqual(Object.keys(printedDocuments).toSorted());
  });

  test('is not written while a field has no meaning', () => {
    const document = z.object({ known: z.string().describe('Known.'), inner: z.object({}) });
    expect(() => listFields(document, new Map())).toThrow('no schema says what inner means');
  });
});

describe('a document that a command printed', () => {
  test('is refused with a field that its schema lacks, in the open or far inside', () => {
    const agent = { id: 'agt_1', name: 'a' };
    const message = { id: 'msg_1', state: 'acked' };
    expect(findMisprint(['inbox', 'ack', 'msg_1'], { messages: [message] })).toBeUndefined();
    expect(findMisprint(['inbox', 'ack'], { messages: [message], more: 1 })).toMatch(/more/);
    expect(findMisprint(['inbox', 'ack'], { messages: [{ ...message, agent }] })).toMatch(/agent/);
    expect(findMisprint(['inbox', 'ack'], { messages: [{ id: 'msg_1' }] })).toMatch(/state/);
  });

  test('is an error document, or one of those that its command has', () => {
    const error = { code: 'usage', message: 'No.', next: 'Do.' };
    expect(findMisprint(['send', 'a', 'b'], { error })).toBeUndefined();
    expect(findMisprint(['trust', '--revoke', '.'], { revoked: [] })).toBeUndefined();
    expect(findMisprint(['no-such-command'], { error })).toBeUndefined();
    expect(findMisprint(['no-such-command'], { agents: [] })).toMatch(/no-such-command/);
  });
});

function listJsonCommands(command: Command, path: string): readonly string[] {
  const own = command.options.some(({ long }) => long === '--json') && path !== '' ? [path] : [];
  const below = command.commands.flatMap((child) =>
    listJsonCommands(child, path === '' ? child.name() : `${path} ${child.name()}`),
  );
  return [...own, ...below];
}
