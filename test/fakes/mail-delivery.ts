import type { RouteState } from '../../src/delivery/describe-routes.ts';
import type { Unwoken } from '../../src/delivery/explain-unwoken.ts';

/** What the server asks of delivery about messages: says what it is told to say. */
export class FakeMailDelivery {
  readonly looked: string[] = [];
  readonly limits = { blocks: 3, wakes: 60, scripts: 240, noticeAfterMs: 10_000 };
  wait: string | undefined;
  trouble: string | undefined;
  inTheWay: string | undefined;
  sleeper: Unwoken | undefined;
  place: string | undefined;
  states: readonly RouteState[] | undefined;

  look(agent: string): void {
    this.looked.push(agent);
  }

  isPasting(): boolean {
    return false;
  }

  isDeciding(): boolean {
    return false;
  }

  obstacle(): string | undefined {
    return this.inTheWay;
  }

  waitsFor(): string | undefined {
    return this.wait;
  }

  broken(): string | undefined {
    return this.trouble;
  }

  unwoken(): Unwoken | undefined {
    return this.sleeper;
  }

  placeOf(): string | undefined {
    return this.place;
  }

  routes(): readonly RouteState[] | undefined {
    return this.states;
  }
}
