import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openProviderShelf } from './registry.ts';
import { findUsualProvider } from './usual.ts';

/** A PATH on which there are these programs, and no others. */
function install(...programs: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-usual-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const program of programs) {
    writeFileSync(join(folder, program), '#!/bin/sh\n');
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

test.each([
  ['the only CLI that is installed', ['codex'], 'default', 'codex'],
  ['the default, of several', ['codex', 'gemini'], 'default', 'claude-code'],
  ['the default, of none', [], 'default', 'claude-code'],
  ['what somebody has set, installed or not', ['codex'], 'config.yaml', 'claude-code'],
] as const)(
  'a profile without a provider is launched with %s',
  async (_, programs, source, usual) => {
    const path = install(...programs);
    const shelf = openProviderShelf({ config: path, state: path });
    const setting = { value: 'claude-code', source };
    expect(await findUsualProvider(setting, shelf, path)).toBe(usual);
  },
);
