import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

const ignore = () => undefined;

/**
 * A query client for pages that live events correct. Its base class lets a first reading that is in flight count as
 * fresh although it was invalidated meanwhile: the server may have answered with the state before the event. Such a
 * query is read once more after it was answered.
 */
export class LiveQueryClient extends QueryClient {
  override async invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const first = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.fetchStatus !== 'idle' && state.data === undefined);
    const others = super.invalidateQueries(filters, options);
    const readAgain = first.map(async (query) => {
      // The reading that is in flight, not another one.
      await query.fetch().catch(ignore);
      if (query.state.data === undefined) return;
      const { refetchType } = filters;
      await super.invalidateQueries(
        { queryKey: query.queryKey, exact: true, ...(refetchType && { refetchType }) },
        options,
      );
    });
    await Promise.all([others, ...readAgain]);
  }
}
