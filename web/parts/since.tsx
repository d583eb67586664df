import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';
import { tellMoment, tellSince } from '../../src/views/tell-time.ts';
import { useTold } from '../clock.ts';

/** How long ago, with the exact time for whoever points at it. */
export function Since({ at }: { readonly at: string }): JSX.Element {
  const tell = useCallback((now: number) => tellSince(at, now), [at]);
  return (
    <time class="since" dateTime={at} title={tellMoment(at)}>
      {useTold(tell)}
    </time>
  );
}
