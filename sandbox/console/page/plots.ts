import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { clockTime, number } from './text.ts';

/** A sample of the stack. */
export interface Sample {
  /** Epoch seconds. */
  readonly at: number;
  readonly lag: number;
  readonly pending: number;
  readonly oldestSeconds: number;
}

type Field = Exclude<keyof Sample, 'at'>;

const PLOTS: { field: Field; title: string; unit: string }[] = [
  { field: 'lag', title: 'Lag', unit: 'entries not read yet' },
  { field: 'pending', title: 'Pending', unit: 'entries read, not acknowledged yet' },
  { field: 'oldestSeconds', title: 'Oldest', unit: 'seconds that the oldest entry waits' },
];
const HEIGHT = 130;
/** Seconds that a plot shows at least. */
const SHORTEST = 60;
/** Seconds between two marks of the time axis. */
const STEPS = [15, 30, 60, 120, 300, 600, 900];

export function Plots({ samples }: { samples: readonly Sample[] }) {
  return html`
    <section aria-label="Live plots" class="plots">
      ${PLOTS.map((plot) => html`<${Plot} key=${plot.field} ...${plot} samples=${samples} />`)}
    </section>
  `;
}

function Plot({
  title,
  unit,
  field,
  samples,
}: {
  title: string;
  unit: string;
  field: Field;
  samples: readonly Sample[];
}) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  useEffect(() => {
    const node = element.current!;
    const style = getComputedStyle(node);
    const quiet = style.getPropertyValue('color');
    const axis = { stroke: quiet, grid: { stroke: 'rgba(128, 128, 128, 0.2)' }, size: 54 };
    plot.current = new uPlot(
      {
        width: node.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: (_, min, max) => [Math.floor(min), Math.max(Math.floor(min) + SHORTEST, max)] },
          y: { range: (_, __, max) => [0, Math.max(5, max * 1.1)] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            incrs: STEPS,
            space: 70,
            values: (_, marks) => marks.map((mark) => clockTime(mark * 1000)),
          },
          axis,
        ],
        series: [{}, { stroke: '#0f9c94', width: 2, fill: 'rgba(15, 156, 148, 0.15)' }],
      },
      [[], []],
      node,
    );
    const resize = new ResizeObserver(() => plot.current!.setSize({ width: node.clientWidth, height: HEIGHT }));
    resize.observe(node);
    return () => {
      resize.disconnect();
      plot.current!.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData([samples.map(({ at }) => at), samples.map((sample) => sample[field])]);
  }, [samples, field]);
  const last = samples.at(-1)?.[field] ?? 0;
  const value = field === 'oldestSeconds' ? last.toFixed(1) : number(last);
  return html`
    <figure>
      <figcaption>
        <strong>${title}</strong> <output id=${`now-${field}`}>${value}</output>
        <span class="quiet">${unit}</span>
      </figcaption>
      <div
        ref=${element}
        class="plot"
        role="img"
        aria-label=${`${title} over the last hour, now ${value} ${unit}`}
      ></div>
    </figure>
  `;
}
