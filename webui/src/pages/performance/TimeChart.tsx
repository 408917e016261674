import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { PageLink } from '../../base/PageLink';
import { fieldLabel } from '../../declarations/labels';
import { momentsOf } from './clock';
import { Plot } from './Plot';
import { type Chart, series } from './samples';

const LOOKS = [
  { colour: '--sanstone-chart-read' },
  { colour: '--sanstone-chart-write', dash: [5, 3] },
  { colour: '--sanstone-chart-third', dash: [2, 3] },
];

/** I/O over time. */
export function TimeChart({
  chart,
  records,
  to,
}: {
  chart: Chart;
  records: readonly Json[];
  /** Where the title leads. */
  to?: string;
}) {
  const { t } = useTranslation();
  const moments = useMemo(() => momentsOf(records), [records]);
  const lines = useMemo(
    () =>
      chart.fields.map((field, index) => ({
        label: fieldLabel(t, field.split('.').at(-1)!),
        values: series(records, field),
        ...LOOKS[index]!,
      })),
    [chart, records, t],
  );
  return (
    <section className="card chart" aria-label={t(chart.title)}>
      <h2>{to ? <PageLink to={to}>{t(chart.title)}</PageLink> : t(chart.title)}</h2>
      <Plot
        title={t(chart.title)}
        unit={chart.unit}
        moments={moments}
        lines={lines}
        cursor="performance"
      />
    </section>
  );
}
