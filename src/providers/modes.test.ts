import { expect, test } from 'vitest';
import { chooseMode, chooseModeArgs, type Modes, placeOnScale } from './modes.ts';

const modes: Modes = {
  plan: { permission: 'read-only', args: ['plan'] },
  manual: { permission: 'edit', args: ['manual'] },
  yolo: { permission: 'all', args: ['yolo'] },
  auto: { permission: 'all', args: ['auto'] },
};

test('a mode is found by its own name, or by its step: the first one there', () => {
  expect(chooseMode(modes, { permissionMode: 'auto' })).toBe(modes['auto']);
  expect(chooseMode(modes, { permission: 'all' })).toBe(modes['yolo']);
  expect(chooseMode(modes, { permission: 'edit' })).toBe(modes['manual']);
});

test('where a CLI has no mode at a step it gets the next one below, never above', () => {
  expect(chooseMode(modes, { permission: 'ask' })).toBe(modes['plan']);
  const { plan: _, ...others } = modes;
  expect(chooseMode(others, { permission: 'ask' })).toBeUndefined();
});

test('rule 39: a role that asks for none gets none', () => {
  expect(chooseMode(modes, {})).toBeUndefined();
  expect(chooseModeArgs(modes, {}, '--mode')).toEqual([]);
});

test('a name that is not known is handed on where the CLI takes names, and is no mode', () => {
  for (const permissionMode of ['later', 'constructor']) {
    expect(chooseMode(modes, { permissionMode, permission: 'edit' })).toBeUndefined();
    expect(chooseModeArgs(modes, { permissionMode }, '--mode')).toEqual([
      `--mode=${permissionMode}`,
    ]);
  }
});

test('each name has its place on the scale', () => {
  expect(placeOnScale(modes)).toEqual({
    ...{ plan: 'read-only', manual: 'edit' },
    ...{ yolo: 'all', auto: 'all' },
  });
});
