-- The roles and the database, for a PostgreSQL of your own; run once as an administrator, with passwords put in. The owner makes
-- tables. The client may only become holdfast_application, which owns nothing and passes no row-level security.
create role holdfast_application nologin noinherit;
create role holdfast_directory nologin noinherit;
create role holdfast_owner login noinherit createdb password '@OWNER_PASSWORD@';
create role holdfast_client login noinherit password '@APPLICATION_PASSWORD@';
grant holdfast_application to holdfast_owner, holdfast_client with inherit false, set true;
grant holdfast_directory to holdfast_application with inherit false, set true;
create database holdfast owner holdfast_owner;
