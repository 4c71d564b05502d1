-- An exponential or a product too small for a float8 is 0, as in the domain; PostgreSQL raises an error of it ("value out of
-- range"), and of one too large. So what is multiplied counts as 0 below 1e-130, exponents end at -400 (2e-174), and the
-- rate at 1e300: what these make is far below what anything is told by.
CREATE FUNCTION simonides_not_tiny(value float8) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN abs(value) < 1e-130::float8 THEN 0::float8 ELSE value END $$;
CREATE OR REPLACE FUNCTION effective_confidence(base float8, rate float8, since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT simonides_not_tiny(base) * exp(greatest(
        -400, -simonides_not_tiny(least(rate, 1e300::float8)) * simonides_days(since, now) ^ 0.8::float8
    )) $$;
CREATE OR REPLACE FUNCTION strengthened(strength float8, since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT simonides_not_tiny(strength)
        * (0.3::float8 + 0.7::float8 * exp(greatest(-400, -0.004::float8 * simonides_days(since, now)))) + 1 $$;
CREATE OR REPLACE FUNCTION faintness(reinforcement float8, since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT exp(0.2::float8 * simonides_not_tiny(greatest(-500, least(500, reinforcement))))
        / (1 + 0.01::float8 * simonides_days(since, now)) $$;

-- For one item's vectors of every model: a purge or a revision takes them out.
CREATE INDEX memory_embeddings_by_item ON memory_embeddings (tenant, item);
