import { useQuery } from '@tanstack/react-query';

import type { Json } from '../../api/client';
import { chartsOf, samplesQuery } from '../performance/samples';
import { TimeChart } from '../performance/TimeChart';

const SHOWN = ['throughput.read', 'throughput.write', 'latency.read', 'latency.write'];
const NONE: Json[] = [];
const CHARTS = chartsOf(SHOWN);

/** The last hour. */
export default function Activity() {
  const { data = NONE } = useQuery(samplesQuery('cluster/metrics', '1h'));
  return (
    <div className="charts">
      {CHARTS.map((chart) => (
        <TimeChart key={chart.title} chart={chart} records={data} to="/performance" />
      ))}
    </div>
  );
}
