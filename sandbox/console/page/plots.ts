import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

/** One look at the stack. */
export interface Sample {
  /** Epoch seconds. */
  readonly at: number;
  readonly lag: number;
  readonly pending: number;
  readonly oldestSeconds: number;
}

type Field = Exclude<keyof Sample, 'at'>;

const PLOTS: { field: Field; title: string; unit: string }[] = [
  { field: 'lag', title: 'Lag', unit: 'entries not yet read' },
  { field: 'pending', title: 'Pending', unit: 'entries read and not yet acknowledged' },
  { field: 'oldestSeconds', title: 'Oldest', unit: 'seconds that the oldest entry waits' },
];
const HEIGHT = 130;

export function Plots({ samples }: { samples: readonly Sample[] }) {
  return html`
    <section aria-label="Live plots" class="plots">
      ${PLOTS.map(
        ({ field, title, unit }) =>
          html`<${Plot} key=${field} title=${title} unit=${unit} field=${field} samples=${samples} />`,
      )}
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
    const axis = { stroke: quiet, grid: { stroke: 'rgba(128, 128, 128, 0.2)' }, size: 44 };
    plot.current = new uPlot(
      {
        width: node.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_, __, max) => [0, Math.max(5, max * 1.1)] } },
        axes: [{ ...axis, size: 28 }, axis],
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
  const value = field === 'oldestSeconds' ? `${last.toFixed(1)} s` : last.toLocaleString('en');
  return html`
    <figure>
      <figcaption>
        <strong>${title}</strong> <output id=${`now-${field}`}>${value}</output> <span class="quiet">${unit}</span>
      </figcaption>
      <div ref=${element} class="plot" role="img" aria-label=${`${title} over the last minutes, now ${value}`}></div>
    </figure>
  `;
}
