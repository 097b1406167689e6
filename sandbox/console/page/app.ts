import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { ThemeSwitch } from '#functions/api/docs/page/theme.ts';
import { get } from './api.ts';
import type { ConsoleState, ShardState } from '../messages.ts';
import { Controls } from './controls.ts';
import { DeadLetters } from './dead-letters.ts';
import { Explorer } from './explorer.ts';
import { Plots, type Sample } from './plots.ts';
import { Runs } from './runs.ts';
import { oldestMs, Shards } from './shards.ts';
import { readSamples, withSample } from './samples.ts';
import { Streams } from './streams.ts';
import { WhereIsMyRecord } from './where.ts';

const POLL_MS = 500;

/** The console: the stack now, and in the last hour. */
export function App() {
  const [state, setState] = useState<ConsoleState>();
  const [samples, setSamples] = useState<readonly Sample[]>(readSamples);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let isOpen = true;
    const poll = async () => {
      try {
        const now = await get<ConsoleState>('console/state');
        setState(now);
        setSamples((before) => withSample(before, sampleOf(now)));
        setProblem('');
      } catch (error) {
        setProblem(`The state of the local stack cannot be read: ${(error as Error).message}`);
      }
      if (isOpen) setTimeout(poll, POLL_MS);
    };
    void poll();
    return () => (isOpen = false);
  }, []);

  return html`
    <header>
      <span class="brand">Console <small>of the local stack</small></span>
      <nav aria-label="Pages"><a href="docs">Reference</a> <${ThemeSwitch} /></nav>
    </header>
    <main class="console">
      <h1 class="visually-hidden">Console of the local stack</h1>
      ${problem && html`<p role="alert" class="status error">${problem}</p>`}
      ${
        state &&
        html`
          <${Controls} state=${state} />
          <${Plots} samples=${samples} />
          <${Shards} shards=${state.shards} at=${state.at} />
          <${Runs} history=${state.history} />
          <${DeadLetters} state=${state} />
          <${Explorer} />
          <${WhereIsMyRecord} />
          <${Streams} shards=${state.shards} />
        `
      }
    </main>
  `;
}

function sampleOf({ at, shards }: ConsoleState): Sample {
  const sum = (pick: (shard: ShardState) => number) => shards.reduce((total, shard) => total + pick(shard), 0);
  return {
    at: at / 1000,
    lag: sum(({ lag }) => lag ?? 0),
    pending: sum(({ pending }) => pending),
    oldestSeconds: Math.max(0, ...shards.map(oldestMs)) / 1000,
  };
}
