import { Alert, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Json } from '../../api/client';
import { every } from '../../base/activity';
import { Loading } from '../../base/Loading';
import { at } from '../../declarations/declarations';
import { momentsOf } from '../performance/clock';
import { type Line, Plot } from '../performance/Plot';
import { samplesQuery } from '../performance/samples';
import { endOf, type Forecast, forecastWords, urgency } from './forecast';

/** The fields of the samples that are shown, by dotted name. */
export interface SpaceFields {
  size: string;
  used: string;
  provisioned: string;
  snapshots?: string;
}

const SPANS = ['1d', '1w', '1m', '1y'] as const;
const NONE: Json[] = [];

/** How the space of an aggregate or a volume was used, and when it will be full. */
export default function SpaceHistory({ api, fields }: { api: string; fields: SpaceFields }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const [span, setSpan] = useState<string>('1m');
  const fieldNames = `timestamp,${Object.values(fields).join()}`;
  const samples = useQuery(samplesQuery(`${api}/metrics`, span, fieldNames));
  const { data: foretold, isPending } = useQuery({
    queryKey: ['forecast', api],
    queryFn: ({ signal }) =>
      call<Json>('GET', api, { fields: 'space.forecast' }, undefined, signal).then(
        (record) => (at(record, 'space.forecast') ?? {}) as Forecast,
      ),
    refetchInterval: () => every(300),
  });
  const { data: records = NONE, isSuccess } = samples;
  const { moments, lines, past } = useMemo(
    () => chartOf(records, fields, foretold, t),
    [records, fields, foretold, t],
  );
  const names: Record<string, string> = {
    '1d': t('Day'),
    '1w': t('Week'),
    '1m': t('Month'),
    '1y': t('Year'),
  };
  const title = t('Use over time');
  const urgent = urgency(foretold);
  const words = forecastWords(t, language, foretold);
  return (
    <section className="card card-wide chart" aria-label={title}>
      <div className="chart-head">
        <h2>{title}</h2>
        <ToggleGroup isCompact aria-label={t('Span of time')}>
          {SPANS.map((each) => (
            <ToggleGroupItem
              key={each}
              text={names[each]}
              buttonId={`space-${each}`}
              isSelected={each === span}
              onChange={() => setSpan(each)}
            />
          ))}
        </ToggleGroup>
      </div>
      {isPending && <Loading isLine />}
      {foretold &&
        (urgent ? (
          <Alert component="h3" isInline isPlain variant={urgent} title={words} />
        ) : (
          <p>{words}</p>
        ))}
      {samples.isPending ? (
        <Loading />
      ) : isSuccess && past === 0 ? (
        <p>{t('There are no samples of this span yet.')}</p>
      ) : (
        <Plot title={title} unit="size" moments={moments} lines={lines} past={past} />
      )}
    </section>
  );
}

function chartOf(
  records: readonly Json[],
  fields: SpaceFields,
  foretold: Forecast | undefined,
  t: ReturnType<typeof useTranslation>['t'],
): { moments: number[]; lines: Line[]; past: number } {
  const values = (field: string) =>
    records.map((record) => {
      const value = at(record, field);
      return typeof value === 'number' ? value : null;
    });
  const [used, size] = [values(fields.used), values(fields.size)];
  if (used.every((value) => value === null)) return { moments: [], lines: [], past: 0 };
  const first = used.findIndex((value) => value !== null);
  const from = <Value,>(all: Value[]) => all.slice(first);
  const moments = from(momentsOf(records));
  const lines: Line[] = [
    { label: t('Used'), values: from(used), colour: '--sanstone-chart-read' },
    { label: t('Size'), values: from(size), colour: '--sanstone-bad' },
    {
      label: t('Provisioned'),
      values: from(values(fields.provisioned)),
      colour: '--sanstone-chart-third',
      dash: [2, 3],
    },
  ];
  if (fields.snapshots)
    lines.push({
      label: t('Snapshots'),
      values: from(values(fields.snapshots)),
      colour: '--sanstone-chart-write',
      dash: [5, 3],
    });
  const past = moments.length;
  const last = lines[0]!.values.findLastIndex((value) => value !== null);
  const start = { moment: moments[last]!, used: lines[0]!.values[last]! };
  const end = endOf(foretold, start, moments[0]!);
  if (end) {
    const forecast = moments.map((_moment, index) => (index === last ? start.used : null));
    for (const line of lines) line.values.push(null);
    const [, sizes] = lines;
    sizes!.values[past] = sizes!.values[last] ?? null;
    lines.push({
      label: t('Forecast'),
      values: [...forecast, end.used],
      colour: '--sanstone-chart-read',
      dash: [6, 4],
      spans: true,
    });
    moments.push(end.moment);
  }
  return { moments, lines, past };
}
