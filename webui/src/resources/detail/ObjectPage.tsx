import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { Refusal } from '../../api/refusal';
import { Failure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import { NotFound } from '../../base/NotFound';
import { PageHead } from '../../base/PageHead';
import { mayBeAbsent } from '../../declarations/declarations';
import { resourceTitle } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import { EmptyList } from '../EmptyList';
import { usePresentation } from '../presentation';
import { recordQuery } from '../record';
import { Facts } from './Facts';
import { ObjectFrame } from './ObjectFrame';

/** The page of one object. */
export function ObjectPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const { data: record, error, isPending, refetch } = useQuery(recordQuery(place));
  const { overview: Overview } = usePresentation(place.resource.path);
  const isGone = error instanceof Refusal && error.status === 404;
  if (isGone && (!record || mayBeAbsent(place.resource)))
    return mayBeAbsent(place.resource) ? (
      <>
        <PageHead title={resourceTitle(t, place.resource.path)} help={place.resource.doc} />
        <EmptyList place={place} isFiltered={false} onClear={() => undefined} />
      </>
    ) : (
      <NotFound />
    );
  return (
    <ObjectFrame place={place}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {record && Overview && <Overview place={place} record={record} />}
      {record && <Facts resource={place.resource} record={record} />}
    </ObjectFrame>
  );
}
