import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useParameters } from '../../base/address';
import type { Resource } from '../../declarations/declarations';
import { HISTOGRAM } from './buckets';
import { LatencyMap } from './LatencyMap';
import { chartsOf, samplesQuery, SPANS } from './samples';
import { TimeChart } from './TimeChart';

const SPAN = 'span';
const NONE: Json[] = [];

/** The charts of one thing: all over the same span, with one cursor. */
export default function MetricsView(props: { collection: string; resource: Resource }) {
  const { t } = useTranslation();
  const [parameters, change] = useParameters();
  const span = parameters.get(SPAN) ?? SPANS[0];
  const { data = NONE, isError, error } = useQuery(samplesQuery(props.collection, span));
  const fields = props.resource.fields.map((node) => node.name);
  const spans: Record<string, string> = {
    '1h': t('Hour'),
    '1d': t('Day'),
    '1w': t('Week'),
    '1m': t('Month'),
    '1y': t('Year'),
  };
  return (
    <>
      <ToggleGroup isCompact aria-label={t('Span of time')} className="spans">
        {SPANS.map((each) => (
          <ToggleGroupItem
            key={each}
            text={spans[each]}
            buttonId={`span-${each}`}
            isSelected={each === span}
            onChange={() => change({ [SPAN]: each })}
          />
        ))}
      </ToggleGroup>
      {isError && <p role="alert">{error.message}</p>}
      <div className="charts">
        {chartsOf(fields).map((chart) => (
          <TimeChart key={chart.title} chart={chart} records={data} />
        ))}
        {fields.includes(HISTOGRAM) && <LatencyMap collection={props.collection} span={span} />}
      </div>
    </>
  );
}
