-- The trace of the request that led to the push, as a `traceparent` of W3C Trace Context; null: it is not traced.
alter table delivery add column traceparent text;
