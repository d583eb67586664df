// Tests: src/attention/book.test.ts.

import { asObject } from '../shared/json.ts';
import type { Noted } from './book.ts';
import { kinds } from './cause.ts';
import { allPaths } from './remember.ts';

/** The form in which we note; another version may have another. */
export const form = 1;

/**
 * Whether this is what a daemon notes, to the last field: all of it decides what is told, and one
 * of another shape would make each later look fail.
 */
export function isNoted(noted: unknown): noted is Omit<Noted, 'running'> & Partial<Noted> {
  const { form: has, open, mail, running } = asObject(noted);
  // Earlier versions have not noted what runs.
  const isSound = has === form && isOptional(mail, isCount) && isOptional(running, isTexts);
  return isSound && Array.isArray(open) && open.every(isOpen);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isOpen(one: unknown): boolean {
  const { cause, told, lastSince, notice } = asObject(one);
  const isTold = Array.isArray(told) && told.every((path) => allPaths.includes(path));
  return isCause(cause) && isTold && isTime(lastSince) && isOptional(notice, isText);
}

function isCause(cause: unknown): boolean {
  const { kind, agent, epoch, since, text, isKnown, next, typedAt, message } = asObject(cause);
  const { id, name } = asObject(agent);
  const isNamed = kinds.some((one) => one === kind) && isText(id) && isText(name);
  const isWhen = isCount(epoch) && isTime(since) && isOptional(typedAt, isTime);
  const isSaid = isText(text) && isText(next) && typeof isKnown === 'boolean';
  return isNamed && isWhen && isSaid && isOptional(message, isMessage);
}

function isMessage(message: unknown): boolean {
  const { id, seq } = asObject(message);
  return isText(id) && isCount(seq);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTime(value: unknown): boolean {
  return typeof value === 'number';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}
